import { Button, Checkbox, Code } from '@mantine/core';
import { useState } from 'react';
import type { TrainingEmptied, TrainingState } from '../../../core/app/training.ts';
import { useNoteJob } from '../../platform/note-job.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { useReset } from './use-training.ts';

const words = text.data.training.reset;

/** Back to an empty store: asks with the numbers, and says where the backup lies. */
export function ResetPart({ state: { total, others } }: { readonly state: TrainingState }) {
  const [asking, setAsking] = useState(false);
  const [emptied, setEmptied] = useState<TrainingEmptied>();
  return (
    <section className={styles.section} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      <p>{words.what}</p>
      <div className={styles.row}>
        <Button color="red" variant="outline" disabled={total === 0} onClick={() => setAsking(true)}>
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
      {asking && (
        <ResetQuestion
          total={total}
          others={others}
          onCancel={() => setAsking(false)}
          onEmptied={(done) => {
            setEmptied(done);
            setAsking(false);
          }}
        />
      )}
    </section>
  );
}

interface ResetQuestionProps {
  readonly total: number;
  readonly others: number;
  readonly onCancel: () => void;
  readonly onEmptied: (emptied: TrainingEmptied) => void;
}

function ResetQuestion({ total, others, onCancel, onEmptied }: ResetQuestionProps) {
  const announce = useAnnounce();
  const noteJob = useNoteJob();
  const [understood, setUnderstood] = useState(false);
  const reset = useReset((emptied) => {
    announce(`${words.done(emptied.removed)} ${words.backup(emptied.backup.bytes)} ${emptied.backup.path}`);
    const { removed } = emptied;
    noteJob({ kind: 'training', note: words.done(removed), counts: { removed } });
    onEmptied(emptied);
  });
  return (
    <Question
      title={words.title}
      confirm={words.confirm(total)}
      keep={words.cancel}
      busy={reset.isPending}
      disabled={others > 0 && !understood}
      onConfirm={() => reset.mutate(others)}
      onKeep={onCancel}
    >
      <p>
        {words.total(total)} {others > 0 ? <strong>{words.others(others)}</strong> : words.noOthers}
      </p>
      {others > 0 && (
        <Checkbox
          size="xs"
          label={words.understand(others)}
          checked={understood}
          onChange={({ currentTarget: { checked } }) => setUnderstood(checked)}
        />
      )}
      <RequestFailure title={words.failed} of={reset} />
    </Question>
  );
}
