import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { TrainingState } from '../../../core/app/training.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import frame from '../../ui/view.module.css';
import styles from './data.module.css';
import { useWardWriter } from './use-training.ts';

const messages = text.data.training.busyWard;
const paces = [1, 2, 5, 15, 60];

/** Busy ward: its state, its interval and its records. Renders nothing if the set is not loaded. */
export function WardPart({ state: { sets, ward, writer } }: { readonly state: TrainingState }) {
  const actions = useWorkbenchActions();
  const announce = useAnnounce();
  const [pace, setPace] = useState<number>();
  const change = useWardWriter((running) =>
    announce(running ? messages.started : messages.stoppedAnnouncement),
  );
  const seconds = pace ?? writer.seconds;
  if (!sets.some(({ set, loaded }) => set === 'busy' && loaded > 0)) return null;
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <div className={styles.row}>
        <ToneDot
          tone={writer.running ? 'good' : 'neutral'}
          label={writer.running ? messages.running(writer.seconds) : messages.stopped}
        />
        <label htmlFor="ward-pace">{messages.intervalLabel}</label>
        <NativeSelect
          id="ward-pace"
          value={String(seconds)}
          data={paces.map((interval) => ({ value: String(interval), label: messages.interval(interval) }))}
          onChange={({ currentTarget: { value } }) => {
            setPace(Number(value));
            if (writer.running) change.mutate(Number(value));
          }}
        />
        <Button
          loading={change.isPending}
          onClick={() => change.mutate(writer.running ? undefined : seconds)}
        >
          {writer.running ? messages.stop : messages.start}
        </Button>
        {writer.changes > 0 && <span className="dim">{messages.changes(writer.changes)}</span>}
      </div>
      {writer.last && (
        <p className="dim">
          {messages.last(writer.last.title, writer.last.version)}, <RelativeTime instant={writer.last.at} />
        </p>
      )}
      {writer.problem !== undefined && <p role="alert">{writer.problem}</p>}
      <RequestFailure title={messages.failed} query={change} />
      <h4>{messages.records}</h4>
      <p className="dim">{messages.recordsHint}</p>
      <ul className={`${frame.picks} ${styles.ward}`} aria-label={messages.records}>
        {ward.map(({ type, id, title }) => (
          <li key={id}>
            <button type="button" title={title} onClick={() => actions.openRecord({ type, id, title })}>
              <span>{title}</span>
              <small>{type}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
