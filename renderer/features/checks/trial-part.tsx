import { Button } from '@mantine/core';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import type { CheckDraft } from './check-draft.ts';
import styles from './checks.module.css';
import { NamedRecords } from './named-records.tsx';
import type { Trial } from './use-checks.ts';

const words = text.checks;

interface TrialPartProps {
  readonly draft: Pick<CheckDraft, 'type' | 'holds'>;
  readonly trial: Trial;
  /** Before a record is opened. */
  readonly onLeave: () => void;
}

/** What the check comes to for many records, before it is switched on. */
export function TrialPart({ draft: { type, holds }, trial, onLeave }: TrialPartProps) {
  const { request, result, start } = trial;
  return (
    <section className={styles.trial} aria-label={words.trial}>
      <Button loading={request.isPending} disabled={holds.trim() === ''} onClick={start}>
        {words.trial}
      </Button>
      <RequestFailure title={words.trialFailed} of={request} />
      {result && (
        <>
          <p role="status">
            {[
              words.tried(result.records),
              `${words.triedApplied(result.applied)},`,
              `${words.triedViolated(result.violated)},`,
              `${words.triedSkipped(result.skipped)}.`,
            ].join(' ')}
          </p>
          <NamedRecords title={words.some} type={type} named={result.broken} onLeave={onLeave} />
          <NamedRecords title={words.someUnasked} type={type} named={result.unasked} onLeave={onLeave} />
        </>
      )}
    </section>
  );
}
