import { ActionIcon, Button, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { IconFilterOff, IconTrash } from '@tabler/icons-react';
import { activityKinds, activityMethods, statusClasses } from '../../../core/app/activity.ts';
import { text } from '../../ui/text.ts';
import type { FilterForm } from './activity-state.ts';
import styles from './activity.module.css';

const { filter: words, kinds } = text.activity;

type Choice = 'method' | 'status' | 'kind' | 'period';

const periods = Object.entries(words.periods)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.value) - Number(b.value));

const choices: readonly { id: Choice; data: readonly { value: string; label: string }[] }[] = [
  { id: 'kind', data: activityKinds.map((value) => ({ value, label: kinds[value] })) },
  { id: 'method', data: activityMethods.map((value) => ({ value, label: value })) },
  { id: 'status', data: statusClasses.map((value) => ({ value, label: words.statuses[value] })) },
  { id: 'period', data: periods },
];

interface FilterRowProps {
  readonly form: FilterForm;
  readonly filtered: boolean;
  readonly clearable: boolean;
  readonly onChange: (form: Partial<FilterForm>) => void;
  readonly onReset: () => void;
  readonly onClear: () => void;
}

/** One row: text, kind, method, status, period; each counts at once. */
export function FilterRow({ form, filtered, clearable, onChange, onReset, onClear }: FilterRowProps) {
  return (
    <form
      className={styles.filter}
      role="search"
      aria-label={words.name}
      onSubmit={(event) => event.preventDefault()}
    >
      <label htmlFor="activity-text">{words.text}</label>
      <TextInput
        id="activity-text"
        className={styles.text}
        placeholder={words.textHint}
        value={form.text}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      {choices.map(({ id, data }) => (
        <div key={id} className={styles.choice}>
          <label htmlFor={`activity-${id}`}>{words[id]}</label>
          <NativeSelect
            id={`activity-${id}`}
            data={[{ value: '', label: words.any }, ...data]}
            value={form[id]}
            onChange={({ currentTarget }) => onChange({ [id]: currentTarget.value })}
          />
        </div>
      ))}
      {filtered && (
        <Tooltip label={words.reset}>
          <ActionIcon aria-label={words.reset} onClick={onReset}>
            <IconFilterOff size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <Button
        className={styles.atEnd}
        leftSection={<IconTrash size={14} aria-hidden />}
        disabled={!clearable}
        onClick={onClear}
      >
        {text.activity.clear}
      </Button>
    </form>
  );
}
