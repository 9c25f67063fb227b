import { Button, Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { useSecondPlace } from './use-backups.ts';

const words = text.places;

interface SecondPlaceProps {
  /** Where backups are copied to as well; null where nowhere. */
  readonly folder: string | null;
  readonly onSaid: (sentence: string) => void;
}

/** The folder on another disk that holds each backup too. */
export function SecondPlace({ folder, onSaid }: SecondPlaceProps) {
  const [typed, setTyped] = useState('');
  const change = useSecondPlace((set) => {
    setTyped('');
    onSaid(set === null ? words.removed : words.setDone(set));
  });
  return (
    <section className={styles.section} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      <p>{folder === null ? words.none : words.what}</p>
      {folder === null ? (
        <form
          className={styles.place}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(typed.trim());
          }}
        >
          <TextInput
            label={words.field}
            placeholder={words.hint}
            classNames={{ input: 'mono' }}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" disabled={typed.trim() === ''} loading={change.isPending}>
            {words.set}
          </Button>
        </form>
      ) : (
        <div className={styles.row}>
          <Code>{folder}</Code>
          <Button loading={change.isPending} onClick={() => change.mutate(null)}>
            {words.remove}
          </Button>
        </div>
      )}
      {change.isError && <FailureMessage title={words.failed} failure={toFailure(change.error)} />}
    </section>
  );
}
