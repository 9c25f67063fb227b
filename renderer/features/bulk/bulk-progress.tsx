import { Progress } from '@mantine/core';
import { sentOf } from '../../../core/app/bulk.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { progressOf, rateOf, type BulkState } from './bulk-state.ts';
import { wordsOf } from './bulk-words.ts';
import styles from './bulk.module.css';

/** Where the dry run or the run is: one sentence, a bar, and for a run its numbers. */
export function BulkProgress({ state }: { readonly state: BulkState }) {
  const { phase, targets, counts } = state;
  const { done, failed, skipped, remaining } = progressOf(state);
  const sending = phase === 'running' || phase === 'finished' || phase === 'settling';
  const part = sending ? targets.length - remaining : targets.length - counts.waiting;
  const rate = rateOf(state);
  const numbers = [
    { label: text.bulk.progress.done, value: formatCount(done) },
    { label: text.bulk.progress.failed, value: formatCount(failed) },
    { label: text.bulk.progress.skipped, value: formatCount(skipped) },
    { label: text.bulk.progress.remaining, value: formatCount(remaining) },
    { label: text.bulk.progress.rate, value: rate === undefined ? text.bulk.noRate : text.bulk.rate(rate) },
  ];
  return (
    <section className={styles.progress} aria-label={sending ? text.bulk.steps.run : text.bulk.steps.examine}>
      <p aria-live="polite">{sentenceOf(state)}</p>
      <Progress
        value={targets.length === 0 ? 0 : (part / targets.length) * 100}
        color={failed > 0 && sending ? 'var(--ck-danger)' : 'var(--ck-accent)'}
        transitionDuration={0}
        aria-label={sentenceOf(state)}
      />
      {sending && (
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

function sentenceOf(state: BulkState): string {
  const { phase, stopped, targets, counts } = state;
  const { sent, of } = sentOf(counts);
  const said = wordsOf(state);
  const all = targets.length;
  const seen = all - counts.waiting;
  switch (phase) {
    case 'compose':
      return '';
    case 'gathering':
      return text.bulk.gathering(all);
    case 'examining':
      return stopped ? text.bulk.examineStopped(seen, all) : text.bulk.examining(seen, all);
    case 'examined':
      return all === 0 ? text.bulk.nothingFound : text.bulk.examined(all, counts.ready);
    case 'running':
      return stopped ? text.bulk.stoppedAt(sent, of, of - sent) : said.running(sent, of);
    case 'settling':
      return text.bulk.undo.settling;
    case 'finished':
      return said.finished(counts.done);
  }
}
