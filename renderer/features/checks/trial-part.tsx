import { Button } from '@mantine/core';
import type { TrialResult } from '../../../core/app/checks.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';
import { NamedRecords } from './named-records.tsx';

const words = text.checks;

interface TrialPartProps {
  readonly type: ResourceType;
  readonly result: TrialResult | undefined;
  readonly error: unknown;
  readonly pending: boolean;
  readonly disabled: boolean;
  readonly onTry: () => void;
  /** Before a record is opened. */
  readonly onLeave: () => void;
}

/** What the check comes to for many records, before it is switched on. */
export function TrialPart({ type, result, error, pending, disabled, onTry, onLeave }: TrialPartProps) {
  return (
    <section className={styles.trial} aria-label={words.trial}>
      <Button loading={pending} disabled={disabled} onClick={onTry}>
        {words.trial}
      </Button>
      {error !== null && <FailureMessage title={words.trialFailed} failure={toFailure(error)} />}
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
