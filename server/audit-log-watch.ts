/**
 * Stores the head of the audit chain outside the records database. Reports missing entries at the start. Invariant: the
 * stored head was on disk before; it may be older than the audit log, never newer.
 */
import { formatPlural } from '../core/text/language.ts';
import { createBackground, type ScheduleEvery } from './background/background.ts';
import type { RecordStore } from './store/store.ts';
import type { AnchorStore } from './workspace/audit-anchor.ts';

/** Milliseconds after a commit until the head is stored, so that no write waits for the anchor. */
const gatheringMs = 500;

/** Milliseconds between two looks, if storing the head failed. */
export const lookMs = 30_000;

export interface WatchParts {
  readonly store: Pick<RecordStore, 'audit' | 'onCommitted'>;
  readonly anchorStore: AnchorStore;
  readonly log: (line: string) => void;
  readonly scheduleEvery: ScheduleEvery;
}

/** Compares the audit log with the stored head, reports a loss, then stores the head after commits. */
export async function watchAuditLog({ store, anchorStore, log, scheduleEvery }: WatchParts) {
  const { audit } = store;
  let storedHead = anchorStore.readLatest();
  let pendingMoves = 0;

  async function storeHead(): Promise<void> {
    const head = await audit.head();
    if (pendingMoves > 0 || head?.seq === storedHead?.seq) return;
    anchorStore.keep(head);
    storedHead = head;
  }

  const loss = storedHead && (await audit.lossSince(storedHead));
  if (loss) {
    storedHead = await audit.head();
    anchorStore.noteLoss(loss, storedHead);
    log(formatMessage(loss));
  }
  // Fails on a full disk or while the database is reopened. The next look tries again.
  const background = createBackground({
    step: () => storeHead().then(() => false),
    scheduleEvery,
    lookMs,
    isDue: () => true,
  });
  store.onCommitted(() => background.wakeSoon(gatheringMs));
  background.wake();

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
    /** Stores the last head. */
    async close(): Promise<void> {
      await background.close();
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
