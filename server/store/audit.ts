import { setImmediate } from 'node:timers/promises';
import type {
  AuditAction,
  AuditActions,
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditVerdict,
} from '../../core/app/audit.ts';
import { ChainReader } from './audit-chain.ts';
import { AuditQueue } from './audit-queue.ts';
import type { AuditTrail, NewAuditEntry } from './audit-trail.ts';
import { carryShortLog } from './carry-log.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** Who did what, in the order in which it was written; nothing in it is ever changed. */
export interface AuditStore {
  /** Takes an entry; it is written with others within 250 ms. */
  note(entry: NewAuditEntry): void;
  /** Newest first, those before `before`; what was noted earlier is among them. */
  page(filter: AuditFilter, before: number | undefined, limit: number): Promise<AuditPage>;
  /** How many entries that match each action has. */
  actions(filter: AuditFilter): Promise<AuditActions>;
  /** Every entry, oldest first, in pieces. */
  all(): AsyncGenerator<readonly AuditEntry[]>;
  /** Reads the whole chain. */
  verify(): Promise<AuditVerdict>;
}

/** Entries that are looked at before other requests have their turn. */
const slice = 5000;

/** What stands on the database as it is open now. */
interface AuditParts {
  readonly database: SqliteDatabase;
  readonly trail: AuditTrail;
  readonly writes: WriteQueue;
}

/** The audit trail over SQLite, whose work is synchronous: what may be long gives way between slices. */
export class SqliteAudit implements AuditStore {
  private readonly parts: () => AuditParts;
  private readonly queue: AuditQueue;

  constructor(parts: () => AuditParts) {
    this.parts = parts;
    this.queue = new AuditQueue(async (entries) => {
      const { database, trail, writes } = this.parts();
      await writes.add(() => trail.add(entries));
      carryShortLog(database);
    });
  }

  private get trail(): AuditTrail {
    return this.parts().trail;
  }

  note(entry: NewAuditEntry): void {
    this.queue.note(entry);
  }

  /** Puts what was noted in front of the next commit. */
  flush(): Promise<void> {
    return this.queue.flush();
  }

  async page(filter: AuditFilter, before: number | undefined, limit: number): Promise<AuditPage> {
    await this.flush();
    const found: AuditEntry[] = [];
    let place = Math.min(before ?? Infinity, this.trail.newest() + 1);
    while (place > 1 && found.length <= limit) {
      found.push(...this.trail.matching(filter, place, slice, limit + 1 - found.length));
      place -= slice;
      await setImmediate();
    }
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return { entries, ...(last && { next: last.seq }) };
  }

  async actions(filter: AuditFilter): Promise<AuditActions> {
    await this.flush();
    const counts = new Map<AuditAction, number>();
    for (let place = this.trail.newest() + 1; place > 1; place -= slice) {
      for (const [action, entries] of this.trail.counts(filter, place, slice)) {
        counts.set(action, (counts.get(action) ?? 0) + entries);
      }
      await setImmediate();
    }
    return { actions: [...counts].map(([action, entries]) => ({ action, entries })) };
  }

  async *all(): AsyncGenerator<readonly AuditEntry[]> {
    await this.flush();
    for (let after = 0; ;) {
      const entries = this.trail.entries(after, slice / 10);
      const last = entries.at(-1);
      if (!last) return;
      yield entries;
      after = last.seq;
      await setImmediate();
    }
  }

  async verify(): Promise<AuditVerdict> {
    await this.flush();
    const chain = new ChainReader();
    for (let after = 0; ;) {
      const rows = this.trail.sealed(after, slice);
      const last = rows.at(-1);
      if (!last || !chain.take(rows)) return chain.verdict();
      after = last[0];
      await setImmediate();
    }
  }
}
