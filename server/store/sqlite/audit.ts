import { setImmediate } from 'node:timers/promises';
import type {
  AuditAction,
  AuditActions,
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditVerdict,
} from '../../../core/app/audit.ts';
import type { ChainVerdict, SealKey } from '../audit-chain.ts';
import { ChainsReader, missingOf, type ChainedRow } from '../audit-chains.ts';
import { EntryQueue } from '../entry-queue.ts';
import { auditPageOf, type NewAuditEntry } from '../audit-rows.ts';
import { pieces } from '../pieces.ts';
import type { AuditTrail, TrailHead } from './audit-trail.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { lossSince, type TrailLoss } from './trail-loss.ts';
import type { WriteQueue } from './write-queue.ts';

/** Who did what, in the order in which it was written; nothing in it is ever changed. */
export interface AuditLog {
  /** Takes an entry; it is written with others within 250 ms. */
  note(entry: NewAuditEntry): void;
  /** Newest first, those before `before`; what was noted earlier is among them. */
  page(filter: AuditFilter, before: number | undefined, limit: number): Promise<AuditPage>;
  /** How many entries that match each action has. */
  actions(filter: AuditFilter): Promise<AuditActions>;
  /** Every entry, oldest first, in pieces. */
  all(): AsyncGenerator<readonly AuditEntry[]>;
  /** Reads all of it, and whether it is as it was written. */
  verify(): Promise<AuditVerdict>;
  /** Writes what was noted. */
  flush(): Promise<void>;
}

/** The same where it is one chain, whose end can be kept elsewhere. */
export interface AuditStore extends AuditLog {
  /** Reads the whole chain, and compares it with where it once ended. */
  verify(kept?: TrailHead): Promise<AuditVerdict>;
  /** Where the trail ends on the disk; undefined where it is empty. */
  head(): Promise<TrailHead | undefined>;
  /** What is missing of a trail that once ended at `kept`; undefined where nothing is. */
  lossSince(kept: TrailHead): Promise<TrailLoss | undefined>;
}

/** Entries that are looked at before other requests have their turn. */
const slice = 5000;

/** Reads a whole trail; what it found. Others have their turn between its slices. */
export async function readTrail(trail: AuditTrail, key?: SealKey): Promise<ChainVerdict> {
  const chains = new ChainsReader(key);
  for await (const rows of pieces<ChainedRow>((last) => trail.chained(last?.place ?? 0, slice))) {
    if (!chains.take(rows)) break;
    await setImmediate();
  }
  const verdict = chains.verdict();
  const broken = verdict.broken ?? (await missingOf(chains.ends, (...of) => trail.sealOf(...of)));
  return { ...verdict, ...(broken && { broken }) };
}

/** What stands on the database as it is open now. */
interface AuditParts {
  readonly database: SqliteDatabase;
  readonly trail: AuditTrail;
  readonly writes: WriteQueue;
}

export type SqliteAudit = ReturnType<typeof sqliteAudit>;

/**
 * The audit trail over SQLite, whose work is synchronous: what may be long gives way between slices. `carry` is called
 * behind each write of what was noted.
 */
export function sqliteAudit(
  parts: () => AuditParts,
  key?: SealKey,
  carry: () => void = () => undefined,
): AuditStore & { begin(): void } {
  const queue = new EntryQueue<NewAuditEntry>(async (entries) => {
    const { trail, writes } = parts();
    await writes.add(() => trail.add(entries));
    carry();
  });
  const flush = () => queue.flush();
  return {
    note: (entry) => queue.note(entry),

    /** Says in the trail that from here on it is sealed with the key, where it was not. */
    begin() {
      if (!parts().trail.awaitsKey()) return;
      queue.note({ time: Date.now(), who: '', action: 'seal', what: 'key', status: 0, requestId: '' });
    },

    async head() {
      return parts().trail.head();
    },

    async lossSince(kept) {
      return lossSince(parts().trail, kept);
    },

    /** Puts what was noted in front of the next commit. */
    flush,

    async page(filter, before, limit) {
      await flush();
      const found: AuditEntry[] = [];
      let place = Math.min(before ?? Infinity, parts().trail.newest() + 1);
      while (place > 1 && found.length <= limit) {
        found.push(...parts().trail.matching(filter, place, slice, limit + 1 - found.length));
        place -= slice;
        await setImmediate();
      }
      return auditPageOf(found, limit);
    },

    async actions(filter) {
      await flush();
      const counts = new Map<AuditAction, number>();
      for (let place = parts().trail.newest() + 1; place > 1; place -= slice) {
        for (const [action, entries] of parts().trail.counts(filter, place, slice)) {
          counts.set(action, (counts.get(action) ?? 0) + entries);
        }
        await setImmediate();
      }
      return { actions: [...counts].map(([action, entries]) => ({ action, entries })) };
    },

    async *all() {
      await flush();
      yield* pieces<AuditEntry>(async (last) => {
        if (last) await setImmediate();
        return parts().trail.entries(last?.seq ?? 0, slice / 10);
      });
    },

    async verify(kept) {
      await flush();
      const { entries, broken, doubts } = await readTrail(parts().trail, key);
      const loss = kept && lossSince(parts().trail, kept);
      const lost = kept && loss && { seq: kept.seq, reason: loss.cause };
      const first = broken ?? lost ?? doubts[0];
      return { entries, ...(first && { broken: first }) };
    },
  };
}
