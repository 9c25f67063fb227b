import { NativeSelect, TextInput } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import { text } from '../text.ts';
import styles from './log.module.css';
import frame from '../view.module.css';

export interface LogChoice<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
}

interface LogFilterProps<Id extends string> {
  readonly words: Readonly<Record<'name' | 'text' | 'textHint', string>>;
  readonly choices: readonly LogChoice<Id>[];
  readonly log: {
    /** Values of the fields; an empty value does not filter. */
    readonly form: Readonly<Record<Id | 'text', string>>;
    readonly isFiltered: boolean;
    readonly change: (change: Readonly<Partial<Record<Id | 'text', string>>>) => void;
    readonly reset: () => void;
  };
  /** Actions on the log, at the end of the row. */
  readonly children: ReactNode;
}

/** Row with a text field and choices. Each change applies at once. */
export function LogFilter<Id extends string>({ words, choices, log, children }: LogFilterProps<Id>) {
  const { name } = words;
  const { form } = log;
  const idOf = (field: string) => `${name}-${field}`.replaceAll(' ', '-').toLowerCase();
  const handleChange = (field: Id | 'text', value: string) => {
    const change: Partial<Record<Id | 'text', string>> = {};
    change[field] = value;
    log.change(change);
  };
  return (
    <form className={frame.bar} role="search" aria-label={name} onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={idOf('text')}>{words.text}</label>
      <TextInput
        id={idOf('text')}
        className={styles.text}
        placeholder={words.textHint}
        value={form.text}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => handleChange('text', currentTarget.value)}
      />
      {choices.map(({ id, label, data }) => (
        <div key={id} className={styles.choice}>
          <label htmlFor={idOf(id)}>{label}</label>
          <NativeSelect
            id={idOf(id)}
            data={[{ value: '', label: text.log.any }, ...data]}
            value={form[id]}
            onChange={({ currentTarget }) => handleChange(id, currentTarget.value)}
          />
        </div>
      ))}
      {log.isFiltered && (
        <IconButton label={text.log.reset} onClick={log.reset}>
          <IconFilterOff size={16} />
        </IconButton>
      )}
      <div className={styles.atEnd}>{children}</div>
    </form>
  );
}
