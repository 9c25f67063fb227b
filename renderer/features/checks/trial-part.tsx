import { Button } from '@mantine/core';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import type { CheckDraft } from './check-draft.ts';
import styles from './checks.module.css';
import { NamedRecords } from './named-records.tsx';
import type { Trial } from './use-checks.ts';

const messages = text.checks;

interface TrialPartProps {
  readonly draft: Pick<CheckDraft, 'type' | 'holds'>;
  readonly trial: Trial;
  /** Called before a record is opened. */
  readonly onLeave: () => void;
}

/** Result of the check for many records, before it is activated. */
export function TrialPart({ draft: { type, holds: holdsExpression }, trial, onLeave }: TrialPartProps) {
  const { request, result, start } = trial;
  return (
    <section className={styles.trial} aria-label={messages.trial}>
      <Button loading={request.isPending} disabled={holdsExpression.trim() === ''} onClick={start}>
        {messages.trial}
      </Button>
      <RequestFailure title={messages.trialFailed} query={request} />
      {result && (
        <>
          <p role="status">{messages.tried(result.records, result)}</p>
          <NamedRecords title={messages.some} type={type} records={result.broken} onLeave={onLeave} />
          <NamedRecords title={messages.someUnasked} type={type} records={result.unasked} onLeave={onLeave} />
        </>
      )}
    </section>
  );
}
