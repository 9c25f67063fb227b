import { Button, Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SecondPlace as Place } from '../../../core/app/backups.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';
import { useSecondPlace } from './use-backups.ts';

const words = text.places;

const tones: Readonly<Record<Place['state'], Tone>> = {
  good: 'good',
  copying: 'info',
  away: 'warning',
  failed: 'danger',
};

interface SecondPlaceProps {
  /** Where backups are copied to as well; null where nowhere. */
  readonly place: Place | null;
  readonly onSaid: (sentence: string) => void;
}

/** The folder on another disk that holds each backup too. */
export function SecondPlace({ place, onSaid }: SecondPlaceProps) {
  const [typed, setTyped] = useState('');
  const change = useSecondPlace((set) => {
    setTyped('');
    onSaid(set === null ? words.removed : words.setDone(set));
  });
  return (
    <section className={styles.section} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      <p>{place ? words.what : words.none}</p>
      {place === null ? (
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
          <Code>{place.folder}</Code>
          <PlaceState place={place} />
          <Button loading={change.isPending} onClick={() => change.mutate(null)}>
            {words.remove}
          </Button>
        </div>
      )}
      <RequestFailure title={words.failed} of={change} />
    </section>
  );
}

/** Whether the other disk holds what it should, and what is wrong where it does not. */
function PlaceState({ place: { state, problem, lacking, compared } }: { readonly place: Place }) {
  return (
    <>
      <ToneDot tone={tones[state]} label={words.states[state]} />
      <span className="dim">
        {lacking > 0 && `${words.lacking(lacking)}. `}
        {compared !== null && (
          <>
            {words.lastCompared} <RelativeTime instant={compared} />.
          </>
        )}{' '}
        {problem}
      </span>
    </>
  );
}
