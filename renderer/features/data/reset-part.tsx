import { Button, Checkbox, Code } from '@mantine/core';
import { useState } from 'react';
import type { TrainingEmptied, TrainingState } from '../../../core/app/training.ts';
import { useLogJob } from '../../platform/note-job.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { useReset } from './use-training.ts';

const messages = text.data.training.reset;

/** Empties the store. Confirms with record counts and names the location of the backup. */
export function ResetPart({ state: { total, others: otherCount } }: { readonly state: TrainingState }) {
  const [isConfirming, setConfirming] = useState(false);
  const [emptied, setEmptied] = useState<TrainingEmptied>();
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <p>{messages.description}</p>
      <div className={styles.row}>
        <Button color="red" variant="outline" disabled={total === 0} onClick={() => setConfirming(true)}>
          {messages.start}
        </Button>
        {total === 0 && <span className="dim">{messages.empty}</span>}
      </div>
      {emptied && (
        <div className={styles.summary} data-tone="good">
          <p>{messages.deleted(emptied.removed)}</p>
          <p>
            {messages.backup(emptied.backup.bytes)} <Code>{emptied.backup.path}</Code>
          </p>
        </div>
      )}
      {isConfirming && (
        <ResetQuestion
          total={total}
          otherCount={otherCount}
          onCancel={() => setConfirming(false)}
          onEmptied={(done) => {
            setEmptied(done);
            setConfirming(false);
          }}
        />
      )}
    </section>
  );
}

interface ResetQuestionProps {
  readonly total: number;
  readonly otherCount: number;
  readonly onCancel: () => void;
  readonly onEmptied: (emptied: TrainingEmptied) => void;
}

function ResetQuestion({ total, otherCount, onCancel, onEmptied }: ResetQuestionProps) {
  const announce = useAnnounce();
  const logJob = useLogJob();
  const [isUnderstood, setUnderstood] = useState(false);
  const reset = useReset((emptied) => {
    const { removed: removedCount, backup } = emptied;
    announce(messages.deletedAnnouncement(removedCount, backup.bytes, backup.path));
    logJob({ kind: 'training', note: messages.deleted(removedCount), counts: { removed: removedCount } });
    onEmptied(emptied);
  });
  return (
    <Question
      title={messages.title}
      confirm={messages.confirm(total)}
      keep={messages.cancel}
      busy={reset.isPending}
      disabled={otherCount > 0 && !isUnderstood}
      onConfirm={() => reset.mutate(otherCount)}
      onKeep={onCancel}
    >
      <p>
        {messages.deletedCount(total)}{' '}
        {otherCount > 0 ? <strong>{messages.otherCount(otherCount)}</strong> : messages.noOthers}
      </p>
      {otherCount > 0 && (
        <Checkbox
          size="xs"
          label={messages.confirmOthers(otherCount)}
          checked={isUnderstood}
          onChange={({ currentTarget: { checked } }) => setUnderstood(checked)}
        />
      )}
      <RequestFailure title={messages.failed} query={reset} />
    </Question>
  );
}
