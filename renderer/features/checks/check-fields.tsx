import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useId, useRef, useState, type ChangeEvent, type RefObject } from 'react';
import { checkLimits, ruleOfCheck } from '../../../core/app/checks.ts';
import { parseLimit } from '../../../core/app/thresholds.ts';
import { categories, severities } from '../../../core/app/quality.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { createCheckId, type CheckDraft } from './check-draft.ts';
import styles from './checks.module.css';
import { suggestPath } from '../../../core/fhir/suggest-path.ts';
import { listAria, listKeys, stepIn, Suggestions } from '../../ui/suggestions.tsx';
import { useStable } from '../../ui/use-stable.ts';

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

interface ExpressionFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly type: ResourceType;
  readonly required?: boolean;
  /** Problem of the expression. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Field for FHIRPath that suggests elements and functions while typing or on Ctrl+Space. */
function ExpressionField(props: ExpressionFieldProps) {
  const { label, hint, value, required = false, error, onChange } = props;
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { suggestions, selectedIndex, suggestAt, accept, hide, onListKey } = useSuggestions(field, props);
  return (
    <Suggestions
      id={listId}
      label={text.checks.suggestions}
      suggestions={suggestions.map(({ label: suggestionLabel, detail: note }) => ({
        label: suggestionLabel,
        note,
      }))}
      selectedIndex={selectedIndex}
      onTake={accept}
    >
      <Textarea
        ref={field}
        label={label}
        description={hint}
        required={required}
        error={error}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={checkLimits.expression}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        {...listAria(listId, suggestions.length, selectedIndex)}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          const offset = currentTarget.selectionStart;
          if (/[\w.]$/.test(currentTarget.value.slice(0, offset))) suggestAt(offset);
          else hide();
        }}
        onBlur={hide}
        onKeyDown={(event) => {
          if (event.key === ' ' && event.ctrlKey) {
            event.preventDefault();
            suggestAt(event.currentTarget.selectionStart);
          } else if (suggestions.length > 0) onListKey(event);
        }}
      />
    </Suggestions>
  );
}

/** Returns the suggestions at the cursor once they are requested. */
function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, type, onChange }: Pick<ExpressionFieldProps, 'value' | 'type' | 'onChange'>,
) {
  const [cursor, setCursor] = useState<number>();
  const [selectedIndex, setSelectedIndex] = useState(0);
  const matches = cursor === undefined ? [] : suggestPath(value, cursor, type);
  // A complete expression needs no suggestion.
  const suggestions = matches.filter(({ insert, start, end }) => value.slice(start, end) !== insert);
  const hide = () => setCursor(undefined);
  const accept = useStable((index: number) => {
    const suggestion = suggestions[index];
    if (!suggestion) return;
    onChange(value.slice(0, suggestion.start) + suggestion.insert + value.slice(suggestion.end));
    hide();
    const offset = suggestion.start + suggestion.insert.length;
    // After React sets the value, which moves the cursor to the end.
    requestAnimationFrame(() => field.current?.setSelectionRange(offset, offset));
  });
  const onListKey = listKeys({
    count: suggestions.length,
    selectedIndex,
    onStep: (step) => setSelectedIndex((current) => stepIn(suggestions.length, current, step)),
    onTake: accept,
    onHide: hide,
  });
  const suggestAt = (offset: number) => {
    setCursor(offset);
    setSelectedIndex(0);
  };
  return { suggestions, selectedIndex, suggestAt, accept, hide, onListKey };
}
