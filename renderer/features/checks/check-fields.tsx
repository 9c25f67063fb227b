import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { checkLimits, ruleOfCheck } from '../../../core/app/checks.ts';
import { parseLimit } from '../../../core/app/thresholds.ts';
import { categories, severities } from '../../../core/app/quality.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { createCheckId, type CheckDraft } from './check-draft.ts';
import { ExpressionField } from './expression-field.tsx';
import styles from './checks.module.css';

const messages = text.checks.fields;

interface CheckFieldsProps {
  readonly draft: CheckDraft;
  readonly onChange: (draft: CheckDraft) => void;
  /** Returns the problem of a field by its name. */
  readonly faultOf: (name: string) => string | undefined;
}

/** Fields of a check. */
export function CheckFields(props: CheckFieldsProps) {
  const { draft, faultOf, onChange } = props;
  const { line, choice } = fieldsOf(props);
  const isNew = draft.version === 0;
  return (
    <div className={styles.fields}>
      <TextInput
        {...line('title')}
        className={styles.wide}
        placeholder={messages.titleHint}
        required
        data-autofocus
        maxLength={checkLimits.title}
        onChange={({ currentTarget: { value } }) => onChange(withTitle(draft, value))}
      />
      <NativeSelect {...choice('type', resourceTypes, (type) => type)} />
      <TextInput
        {...line('id')}
        description={isNew ? messages.idHint(ruleOfCheck(draft.id || messages.id)) : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ input: 'mono' }}
        required
        readOnly={!isNew}
        spellCheck={false}
        maxLength={checkLimits.id}
      />
      {(['applies', 'holds', 'points'] as const).map((name) => (
        <div key={name} className={styles.wide}>
          <ExpressionField
            label={messages[name]}
            hint={messages[`${name}Hint`]}
            type={draft.type}
            value={draft[name]}
            required={name === 'holds'}
            error={faultOf(name)}
            onChange={(value) => onChange({ ...draft, [name]: value })}
          />
        </div>
      ))}
      <NativeSelect
        {...choice('category', categories, (value) => text.quality.categories[value])}
        className={styles.short}
      />
      <NativeSelect
        {...choice('severity', severities, (value) => text.quality.severities[value])}
        className={styles.short}
      />
      {(['warnAbove', 'failAbove'] as const).map((name) => (
        <TextInput
          key={name}
          {...line(name, parseLimit(draft[name]) === 'wrong' ? messages.boundWrong : undefined)}
          className={styles.short}
          placeholder={messages.boundHint}
        />
      ))}
      <TextInput {...line('owner')} maxLength={checkLimits.title} />
      <Textarea {...line('note')} autosize minRows={1} maxRows={6} maxLength={checkLimits.note} />
    </div>
  );
}

/** The ID of a new check follows its title until the user edits the ID. */
function withTitle(draft: CheckDraft, title: string): CheckDraft {
  const isDerivedId = draft.version === 0 && draft.id === createCheckId(draft.title);
  return { ...draft, title, ...(isDerivedId && { id: createCheckId(title) }) };
}

/** Returns the props of fields that edit their part of the draft. */
function fieldsOf({ draft, onChange, faultOf }: CheckFieldsProps) {
  type Lines = 'title' | 'id' | 'warnAbove' | 'failAbove' | 'owner' | 'note';
  return {
    line: (name: Lines, fault = faultOf(name)) => ({
      label: messages[name],
      value: draft[name],
      error: fault,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        onChange({ ...draft, [name]: currentTarget.value }),
    }),
    choice: <Name extends 'type' | 'category' | 'severity'>(
      name: Name,
      values: readonly CheckDraft[Name][],
      formatValue: (value: CheckDraft[Name]) => string,
    ) => ({
      label: messages[name],
      data: values.map((value) => ({ value, label: formatValue(value) })),
      value: draft[name],
      onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) =>
        onChange({ ...draft, [name]: currentTarget.value }),
    }),
  };
}
