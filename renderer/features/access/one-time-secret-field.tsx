import { Button, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useCopy } from '../../ui/use-copy.ts';
import styles from './access.module.css';

interface OnceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly words: Readonly<Record<'copy' | 'copied' | 'notCopied', string>>;
}

/** A secret that is shown once, with a button to copy it. */
export function OnceField({ label, value, words }: OnceFieldProps) {
  const copy = useCopy();
  return (
    <div className={styles.tokenRow}>
      <TextInput
        label={label}
        classNames={{ input: 'mono' }}
        value={value}
        readOnly
        data-autofocus
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant="filled"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={() => copy(value, words.copied, words.notCopied)}
      >
        {words.copy}
      </Button>
    </div>
  );
}
