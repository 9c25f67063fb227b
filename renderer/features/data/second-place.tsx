import { Button, Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SecondaryFolder as Place } from '../../../core/app/backups.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';
import { useSetSecondaryFolder } from './use-backups.ts';

const messages = text.places;

const tones: Readonly<Record<Place['state'], Tone>> = {
  good: 'good',
  copying: 'info',
  away: 'warning',
  failed: 'danger',
};

interface SecondaryFolderSectionProps {
  /** Secondary backup folder; null if there is none. */
  readonly place: Place | null;
  readonly onSaid: (sentence: string) => void;
}

/** Section for the secondary backup folder, a copy of each backup on another disk. */
export function SecondaryFolderSection({ place, onSaid }: SecondaryFolderSectionProps) {
  const [folder, setFolder] = useState('');
  const change = useSetSecondaryFolder((set) => {
    setFolder('');
    onSaid(set === null ? messages.removed : messages.setDone(set));
  });
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <p>{place ? messages.what : messages.none}</p>
      {place === null ? (
        <form
          className={styles.place}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(folder.trim());
          }}
        >
          <TextInput
            label={messages.field}
            placeholder={messages.hint}
            classNames={{ input: 'mono' }}
            value={folder}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => setFolder(currentTarget.value)}
          />
          <Button type="submit" disabled={folder.trim() === ''} loading={change.isPending}>
            {messages.set}
          </Button>
        </form>
      ) : (
        <div className={styles.row}>
          <Code>{place.folder}</Code>
          <PlaceState place={place} />
          <Button loading={change.isPending} onClick={() => change.mutate(null)}>
            {messages.remove}
          </Button>
        </div>
      )}
      <RequestFailure title={messages.failed} query={change} />
    </section>
  );
}

/** State of the secondary folder and its problem, if any. */
function PlaceState({ place: { state, problem, lacking, compared: verifiedAt } }: { readonly place: Place }) {
  return (
    <>
      <ToneDot tone={tones[state]} label={messages.states[state]} />
      <span className="dim">
        {lacking > 0 && messages.lacking(lacking)}{' '}
        {verifiedAt !== null && (
          <MessageNodes
            message={messages.lastCompared}
            nodes={{ time: <RelativeTime instant={verifiedAt} /> }}
          />
        )}{' '}
        {problem}
      </span>
    </>
  );
}
