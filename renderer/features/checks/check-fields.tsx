import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { checkLimits } from '../../../core/app/checks.ts';
import { boundOf } from '../../../core/app/thresholds.ts';
import { categories, severities } from '../../../core/app/quality.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { idOf, type CheckDraft } from './check-draft.ts';
import { ExpressionField } from './expression-field.tsx';
import styles from './checks.module.css';

const words = text.checks.fields;

interface CheckFieldsProps {
  readonly draft: CheckDraft;
  readonly onChange: (draft: CheckDraft) => void;
  /** What is wrong with a field, by its name. */
  readonly faultOf: (name: string) => string | undefined;
}

interface FieldsProps extends Omit<CheckFieldsProps, 'onChange'> {
  readonly set: (change: Partial<CheckDraft>) => void;
}

/** The fields of a check. */
export function CheckFields({ draft, onChange, faultOf }: CheckFieldsProps) {
  const fields = { draft, faultOf, set: (change: Partial<CheckDraft>) => onChange({ ...draft, ...change }) };
  return (
    <div className={styles.fields}>
      <NameFields {...fields} />
      {(['applies', 'holds', 'points'] as const).map((name) => (
        <div key={name} className={styles.wide}>
          <ExpressionField
            label={words[name]}
            hint={words[`${name}Hint`]}
            type={draft.type}
            value={draft[name]}
            required={name === 'holds'}
            error={faultOf(name)}
            onChange={(value) => fields.set({ [name]: value })}
          />
        </div>
      ))}
      <WeightFields {...fields} />
      <TextInput
        label={words.owner}
        maxLength={checkLimits.title}
        value={draft.owner}
        error={faultOf('owner')}
        onChange={({ currentTarget }) => fields.set({ owner: currentTarget.value })}
      />
      <Textarea
        label={words.note}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={checkLimits.note}
        value={draft.note}
        error={faultOf('note')}
        onChange={({ currentTarget }) => fields.set({ note: currentTarget.value })}
      />
    </div>
  );
}

/** What it is called, and of which records it is asked. */
function NameFields({ draft, set, faultOf }: FieldsProps) {
  const isNew = draft.version === 0;
  return (
    <>
      <TextInput
        className={styles.wide}
        label={words.title}
        placeholder={words.titleHint}
        required
        data-autofocus
        maxLength={checkLimits.title}
        value={draft.title}
        error={faultOf('title')}
        onChange={({ currentTarget: { value: title } }) => {
          // The id goes along until somebody writes another.
          const follows = isNew && draft.id === idOf(draft.title);
          set({ title, ...(follows && { id: idOf(title) }) });
        }}
      />
      <NativeSelect
        label={words.type}
        data={[...resourceTypes]}
        value={draft.type}
        onChange={({ currentTarget: { value } }) =>
          set({ type: resourceTypes.find((one) => one === value) ?? draft.type })
        }
      />
      <TextInput
        label={words.id}
        description={isNew ? words.idHint : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ input: 'mono' }}
        required
        readOnly={!isNew}
        spellCheck={false}
        maxLength={checkLimits.id}
        value={draft.id}
        error={faultOf('id')}
        onChange={({ currentTarget }) => set({ id: currentTarget.value })}
      />
    </>
  );
}

/** How much weight a record that breaks it has. */
function WeightFields({ draft, set, faultOf }: FieldsProps) {
  return (
    <>
      <NativeSelect
        className={styles.short}
        label={words.category}
        data={categories.map((value) => ({ value, label: text.quality.categories[value] }))}
        value={draft.category}
        onChange={({ currentTarget: { value } }) =>
          set({ category: categories.find((one) => one === value) ?? draft.category })
        }
      />
      <NativeSelect
        className={styles.short}
        label={words.severity}
        data={severities.map((value) => ({ value, label: text.quality.severities[value] }))}
        value={draft.severity}
        onChange={({ currentTarget: { value } }) =>
          set({ severity: severities.find((one) => one === value) ?? draft.severity })
        }
      />
      {(['warnAbove', 'failAbove'] as const).map((name) => (
        <TextInput
          key={name}
          className={styles.short}
          label={words[name]}
          placeholder={words.boundHint}
          value={draft[name]}
          error={boundOf(draft[name]) === 'wrong' ? words.boundWrong : faultOf(name)}
          onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
        />
      ))}
    </>
  );
}
