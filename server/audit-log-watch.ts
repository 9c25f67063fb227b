/**
 * Keeps the end of the audit trail outside the records, and says at a start what is missing of it. Invariant: what is
 * kept was on the disk before; it may be older than the records, and never newer.
 */
import { formatPlural } from '../core/text/language.ts';
import type { ScheduleEvery } from './backups/backups.ts';
import type { AuditStore } from './store/sqlite/audit.ts';
import type { AnchorStore } from './workspace/audit-anchor.ts';

/** Milliseconds between two looks at the trail: beside the writes, so that none of them waits for it. */
export const pace = 500;

export interface WatchParts {
  readonly audit: AuditStore;
  readonly kept: AnchorStore;
  readonly log: (line: string) => void;
  readonly every: ScheduleEvery;
}

/** Compares the trail with the end that was kept, tells a loss, and goes on keeping. */
export async function watchAuditLog({ audit, kept, log, every }: WatchParts) {
  let last = kept.head();
  let moves = 0;

  async function keep(): Promise<void> {
    const head = await audit.head();
    if (moves > 0 || head?.seq === last?.seq) return;
    kept.keep(head);
    last = head;
  }
  // A disk that takes nothing, or a database that is being opened anew: the next look makes up for it.
  const look = () => void keep().catch(() => undefined);

  const loss = last && (await audit.lossSince(last));
  if (loss) {
    last = await audit.head();
    kept.noteLoss(loss, last);
    log(formatMessage(loss));
  }
  const stop = every(pace, look);
  look();

  return {
    /** Runs what puts another file in the place of the records: where that succeeds, its trail is the one that is kept. */
    async moving<Result>(move: () => Promise<Result>): Promise<Result> {
      const former = kept.head();
      kept.keep(undefined);
      moves += 1;
      try {
        const result = await move();
        last = undefined;
        return result;
      } catch (error) {
        kept.keep(former);
        throw error;
      } finally {
        moves -= 1;
        await keep().catch(() => undefined);
      }
    },
    /** Keeps the last end, and looks no more. */
    async close(): Promise<void> {
      stop();
      await audit.flush();
      await keep().catch(() => undefined);
    },
  };
}

/** What stderr and the command line say of a loss. */
export function formatMessage({
  atLeast,
  cause,
}: {
  readonly atLeast: number;
  readonly cause: string;
}): string {
  return atLeast === 0
    ? `Audit log entries are missing. ${cause}`
    : formatPlural(atLeast, missingForms, { cause });
}

const missingForms = {
  one: 'At least {n} acknowledged write is missing. {cause}',
  other: 'At least {n} acknowledged writes are missing. {cause}',
};
