/**
 * Stores the head of the audit chain outside the records database. Reports missing entries at the start. Invariant: the
 * stored head was on disk before; it may be older than the audit log, never newer.
 */
import { formatPlural } from '../core/text/language.ts';
import type { ScheduleEvery } from './background/background.ts';
import type { AuditStore } from './store/audit-log.ts';
import type { AnchorStore } from './workspace/audit-anchor.ts';

/** Milliseconds between two reads of the head. Polled, so that no write waits for the anchor. */
export const pace = 500;

export interface WatchParts {
  readonly audit: AuditStore;
  readonly anchorStore: AnchorStore;
  readonly log: (line: string) => void;
  readonly scheduleEvery: ScheduleEvery;
}

/** Compares the audit log with the stored head, reports a loss, then stores the head periodically. */
export async function watchAuditLog({ audit, anchorStore, log, scheduleEvery }: WatchParts) {
  let storedHead = anchorStore.readLatest();
  let pendingMoves = 0;

  async function storeHead(): Promise<void> {
    const head = await audit.head();
    if (pendingMoves > 0 || head?.seq === storedHead?.seq) return;
    anchorStore.keep(head);
    storedHead = head;
  }
  // Fails on a full disk or while the database is reopened. The next poll tries again.
  const poll = () => void storeHead().catch(() => undefined);

  const loss = storedHead && (await audit.lossSince(storedHead));
  if (loss) {
    storedHead = await audit.head();
    anchorStore.noteLoss(loss, storedHead);
    log(formatMessage(loss));
  }
  const stop = scheduleEvery(pace, poll);
  poll();

  return {
    /** Runs a replacement of the records file. On success, stores the head of the new file. */
    async replaceRecords<Result>(move: () => Promise<Result>): Promise<Result> {
      const previousHead = anchorStore.readLatest();
      anchorStore.keep(undefined);
      pendingMoves += 1;
      try {
        const result = await move();
        storedHead = undefined;
        return result;
      } catch (error) {
        anchorStore.keep(previousHead);
        throw error;
      } finally {
        pendingMoves -= 1;
        await storeHead().catch(() => undefined);
      }
    },
    /** Stores the last head and stops polling. */
    async close(): Promise<void> {
      stop();
      await audit.flush();
      await storeHead().catch(() => undefined);
    },
  };
}

/** Returns the message about a loss for stderr and the command line. */
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
