import { TextInput } from '@mantine/core';
import styles from './connections.module.css';

interface LineFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly problem: string | undefined;
  /** Over both columns. */
  readonly wide?: boolean;
  readonly onChange: (value: string) => void;
}

/** One line that a program reads: an address, a path, an id. */
export function LineField({ label, hint, value, problem, wide = false, onChange }: LineFieldProps) {
  return (
    <TextInput
      className={wide ? styles.wide : undefined}
      label={label}
      placeholder={hint}
      classNames={{ input: 'mono' }}
      value={value}
      error={problem}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
