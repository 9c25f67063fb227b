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

const words = text.data.training.reset;

/** Empties the store. Confirms with record counts and names the location of the backup. */
export function ResetPart({ state: { total, others: otherCount } }: { readonly state: TrainingState }) {
  const [isConfirming, setConfirming] = useState(false);
  const [emptied, setEmptied] = useState<TrainingEmptied>();
  return (
    <section className={styles.section} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      <p>{words.what}</p>
      <div className={styles.row}>
        <Button color="red" variant="outline" disabled={total === 0} onClick={() => setConfirming(true)}>
          {words.start}
        </Button>
        {total === 0 && <span className="dim">{words.empty}</span>}
      </div>
      {emptied && (
        <div className={styles.summary} data-tone="good">
          <p>{words.done(emptied.removed)}</p>
          <p>
            {words.backup(emptied.backup.bytes)} <Code>{emptied.backup.path}</Code>
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
    announce(words.announced(removedCount, backup.bytes, backup.path));
    logJob({ kind: 'training', note: words.done(removedCount), counts: { removed: removedCount } });
    onEmptied(emptied);
  });
  return (
    <Question
      title={words.title}
      confirm={words.confirm(total)}
      keep={words.cancel}
      busy={reset.isPending}
      disabled={otherCount > 0 && !isUnderstood}
      onConfirm={() => reset.mutate(otherCount)}
      onKeep={onCancel}
    >
      <p>
        {words.total(total)} {otherCount > 0 ? <strong>{words.others(otherCount)}</strong> : words.noOthers}
      </p>
      {otherCount > 0 && (
        <Checkbox
          size="xs"
          label={words.understand(otherCount)}
          checked={isUnderstood}
          onChange={({ currentTarget: { checked } }) => setUnderstood(checked)}
        />
      )}
      <RequestFailure title={words.failed} query={reset} />
    </Question>
  );
}
