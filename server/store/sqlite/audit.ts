import { setImmediate } from 'node:timers/promises';
import type { AuditAction, AuditEntry } from '../../../core/app/audit.ts';
import type { AuditStore } from '../audit-log.ts';
import { auditPageOf, type ChainVerification, type SealKey, type NewAuditEntry } from '../audit-chain.ts';
import { ChainsReader, missingOf, type ChainedRow } from '../audit-chains.ts';
import { EntryQueue } from '../entry-queue.ts';
import { readInChunks } from '../chunks.ts';
import type { AuditLogWriter } from './audit-log-writer.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { findLossSince } from './audit-loss.ts';
import type { WriteQueue } from './write-queue.ts';

/** Entries read before other requests get a turn. */
const maxEntriesPerStep = 5000;

/** Verifies a full audit log. Yields to other work between batches. */
export async function readAuditLog(auditLog: AuditLogWriter, key?: SealKey): Promise<ChainVerification> {
  const chains = new ChainsReader(key);
  for await (const rows of readInChunks<ChainedRow>((lastRow) =>
    auditLog.readChained(lastRow?.place ?? 0, maxEntriesPerStep),
  )) {
    if (!chains.take(rows)) break;
    await setImmediate();
  }
  const verdict = chains.verdict();
  const brokenEntry =
    verdict.broken ??
    (await missingOf(chains.recordedEnds, (...numberInChain) => auditLog.sealOf(...numberInChain)));
  return { ...verdict, ...(brokenEntry && { broken: brokenEntry }) };
}

/** Objects that belong to the current connection. */
interface AuditDependencies {
  readonly database: SqliteDatabase;
  readonly auditLog: AuditLogWriter;
  readonly writes: WriteQueue;
}

export type SqliteAudit = ReturnType<typeof sqliteAudit>;

/**
 * Creates the audit log over SQLite. SQLite is synchronous, so long work yields between batches.
 *
 * @param carry - Called after each write of queued entries.
 */
export function sqliteAudit(
  getDependencies: () => AuditDependencies,
  key?: SealKey,
  onWritten: () => void = () => undefined,
): AuditStore & { begin(): void } {
  const queue = new EntryQueue<NewAuditEntry>(async (entries) => {
    const { auditLog, writes } = getDependencies();
    await writes.add(() => auditLog.add(entries));
    onWritten();
  });
  const flush = () => queue.flush();
  return {
    note: (entry) => queue.note(entry),

    /** Appends an entry that marks the start of sealing with the key, unless the log has one. */
    begin() {
      if (!getDependencies().auditLog.awaitsKey()) return;
      queue.note({ time: Date.now(), who: '', action: 'seal', what: 'key', status: 0, requestId: '' });
    },

    async head() {
      return getDependencies().auditLog.head();
    },

    async lossSince(anchor) {
      return findLossSince(getDependencies().auditLog, anchor);
    },

    /** Writes the queued entries before the next commit. */
    flush,

    async page(filter, before, limit) {
      await flush();
      const entries: AuditEntry[] = [];
      let beforeSeq = Math.min(before ?? Infinity, getDependencies().auditLog.newest() + 1);
      while (beforeSeq > 1 && entries.length <= limit) {
        entries.push(
          ...getDependencies().auditLog.matching(
            filter,
            beforeSeq,
            maxEntriesPerStep,
            limit + 1 - entries.length,
          ),
        );
        beforeSeq -= maxEntriesPerStep;
        await setImmediate();
      }
      return auditPageOf(entries, limit);
    },

    async actions(filter) {
      await flush();
      const counts = new Map<AuditAction, number>();
      for (
        let beforeSeq = getDependencies().auditLog.newest() + 1;
        beforeSeq > 1;
        beforeSeq -= maxEntriesPerStep
      ) {
        for (const [action, entries] of getDependencies().auditLog.counts(
          filter,
          beforeSeq,
          maxEntriesPerStep,
        )) {
          counts.set(action, (counts.get(action) ?? 0) + entries);
        }
        await setImmediate();
      }
      return { actions: [...counts].map(([action, entries]) => ({ action, entries })) };
    },

    async *readEntries() {
      await flush();
      yield* readInChunks<AuditEntry>(async (lastEntry) => {
        if (lastEntry) await setImmediate();
        return getDependencies().auditLog.entries(lastEntry?.seq ?? 0, maxEntriesPerStep / 10);
      });
    },

    async verify(anchor) {
      await flush();
      const { entries, broken: brokenEntry, doubts } = await readAuditLog(getDependencies().auditLog, key);
      const loss = anchor && findLossSince(getDependencies().auditLog, anchor);
      const lostEntry = anchor && loss && { seq: anchor.seq, reason: loss.cause };
      const firstProblem = brokenEntry ?? lostEntry ?? doubts[0];
      return { entries, ...(firstProblem && { broken: firstProblem }) };
    },
  };
}
