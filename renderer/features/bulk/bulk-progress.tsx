import { Progress } from '@mantine/core';
import { countSent } from '../../../core/app/bulk.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { progressOf, rateOf, type BulkState } from './bulk-state.ts';
import { describeRow } from './bulk-messages.ts';
import styles from './bulk.module.css';

/** Progress of the dry run or the run: a sentence, a bar, and the counts of a run. */
export function BulkProgress({ state }: { readonly state: BulkState }) {
  const { phase, targets, counts } = state;
  const { doneCount, failedCount, skippedCount, remainingCount } = progressOf(state);
  const isSending = phase === 'running' || phase === 'finished' || phase === 'settling';
  const processedCount = isSending ? targets.length - remainingCount : targets.length - counts.waiting;
  const rate = rateOf(state);
  const numbers = [
    { label: text.bulk.progress.done, value: formatCount(doneCount) },
    { label: text.bulk.progress.failed, value: formatCount(failedCount) },
    { label: text.bulk.progress.skipped, value: formatCount(skippedCount) },
    { label: text.bulk.progress.remaining, value: formatCount(remainingCount) },
    { label: text.bulk.progress.rate, value: rate === undefined ? text.bulk.noRate : text.bulk.rate(rate) },
  ];
  return (
    <section
      className={styles.progress}
      aria-label={isSending ? text.bulk.steps.run : text.bulk.steps.examine}
    >
      <p aria-live="polite">{formatProgress(state)}</p>
      <Progress
        value={targets.length === 0 ? 0 : (processedCount / targets.length) * 100}
        color={failedCount > 0 && isSending ? 'var(--ck-danger)' : 'var(--ck-accent)'}
        transitionDuration={0}
        aria-label={formatProgress(state)}
      />
      {isSending && (
        <dl className={styles.numbers}>
          {numbers.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function formatProgress(state: BulkState): string {
  const { phase, isStopped, targets, counts } = state;
  const { sent: sentCount, of: sendCount } = countSent(counts);
  const messages = describeRow(state);
  const targetCount = targets.length;
  const examinedCount = targetCount - counts.waiting;
  switch (phase) {
    case 'compose':
      return '';
    case 'gathering':
      return text.bulk.gathering(targetCount);
    case 'examining':
      return isStopped
        ? text.bulk.examineStopped(examinedCount, targetCount)
        : text.bulk.examining(examinedCount, targetCount);
    case 'examined':
      return targetCount === 0 ? text.bulk.nothingFound : text.bulk.examined(targetCount, counts.ready);
    case 'running':
      return isStopped
        ? text.bulk.stoppedAt(sentCount, sendCount, sendCount - sentCount)
        : messages.running(sentCount, sendCount);
    case 'settling':
      return text.bulk.undo.settling;
    case 'finished':
      return messages.finished(counts.done);
  }
}
