/**
 * Which parts of what is derived stand in a database as today's program makes them, of all records, and the rebuild of
 * those that do not. Invariant: every write writes rows of today's derivations, so a part is covered as soon as the
 * rebuild has passed over the records that were there before it; and no part is noted as covered by another derivation
 * once today's may have written.
 */
import type { Derivation } from '../../../core/derive/derivations.ts';
import { settlingOf } from '../coverage-plan.ts';
import { hasTable, preparePluck, type SqliteDatabase } from './sqlite.ts';

/** A rebuild under way. */
export interface Rebuild {
  /** The parts that are made anew. */
  readonly parts: ReadonlySet<string>;
  /** Number of the record up to which they are. */
  readonly done: number;
  /** Number of the record that ends it: later ones were written by today's program. */
  readonly last: number;
  /** Records whose text cannot be read. */
  readonly skipped: number;
}

interface RebuildRow extends Omit<Rebuild, 'parts'> {
  /** Stamps by part, as JSON. */
  readonly parts: string;
}

interface DerivationRow extends Derivation {
  /** When it was last made of all records, in milliseconds since 1970. */
  readonly made: number;
}

export class Coverage {
  /** The parts that stand as today's program makes them, and since when. */
  readonly covered = new Map<string, number>();
  rebuild: Rebuild | undefined;
  private readonly database: SqliteDatabase;
  private readonly stamps: ReadonlyMap<string, string>;

  constructor(database: SqliteDatabase, derivations: readonly Derivation[]) {
    this.database = database;
    this.stamps = new Map(derivations.map(({ name, stamp }) => [name, stamp]));
    this.load();
  }

  /** Reads what is noted; to be called again where a write was undone. */
  load(): void {
    this.covered.clear();
    const rows = this.database
      .prepare<unknown[], DerivationRow>('SELECT part AS name, stamp, made FROM derivation')
      .all();
    for (const { name, stamp, made } of rows) {
      if (this.stamps.get(name) === stamp) this.covered.set(name, made);
    }
    const row = this.database
      .prepare<unknown[], RebuildRow>('SELECT parts, done, last, skipped FROM rebuild')
      .get();
    this.rebuild = row && { ...row, parts: new Set(Object.keys(stampsIn(row.parts))) };
  }

  /**
   * Notes what is not covered by today's derivations before any of them writes, and the rebuild of it: the one that was
   * under way goes on where it was of the same derivations. Without records there is nothing to make anew.
   */
  settle(now: number): void {
    const parts = preparePluck<string>(this.database, 'SELECT parts FROM rebuild').get();
    const under = parts === undefined ? undefined : new Map(Object.entries(stampsIn(parts)));
    const settling = settlingOf(this.stamps, stampsOf(this.database), under);
    if (!settling) return;
    this.database
      .transaction(() => {
        for (const part of settling.outdated) this.run('DELETE FROM derivation WHERE part = ?', part);
        if (settling.begin) this.begin(settling.begin, now);
      })
      .immediate();
    this.load();
  }

  /** Begins the rebuild of parts, beside those that are under way; within the caller's transaction. */
  begin(parts: ReadonlySet<string>, now: number): void {
    const last = preparePluck<number | null>(this.database, 'SELECT max(pk) FROM record').get();
    const stamps = Object.fromEntries([...this.stamps].filter(([part]) => parts.has(part)));
    this.run('DELETE FROM rebuild');
    if (parts.size === 0) return;
    if (typeof last === 'number') {
      this.run(
        'INSERT INTO rebuild (single, parts, done, last, skipped) VALUES (1, ?, 0, ?, 0)',
        JSON.stringify(stamps),
        last,
      );
    } else this.cover(stamps, now);
  }

  /** Notes how far the rebuild is; within the caller's transaction. */
  advance(done: number, skipped: number): void {
    this.run('UPDATE rebuild SET done = ?, skipped = ?', done, skipped);
  }

  /** Ends the rebuild: its parts are covered; within the caller's transaction. */
  end(now: number): void {
    const parts = preparePluck<string>(this.database, 'SELECT parts FROM rebuild').get();
    this.cover(stampsIn(parts ?? '{}'), now);
    this.run('DELETE FROM rebuild');
  }

  private cover(stamps: Readonly<Record<string, string>>, now: number): void {
    for (const [part, stamp] of Object.entries(stamps)) {
      this.run('INSERT OR REPLACE INTO derivation (part, stamp, made) VALUES (?, ?, ?)', part, stamp, now);
    }
  }

  private run(sql: string, ...values: (string | number)[]): void {
    this.database.prepare(sql).run(...values);
  }
}

function stampsIn(parts: string): Record<string, string> {
  return JSON.parse(parts) as Record<string, string>;
}

/** The stamps that a file notes; none where it is of a schema from before. */
export function stampsOf(database: SqliteDatabase): ReadonlyMap<string, string> {
  if (!hasTable(database, 'derivation')) return new Map();
  const rows = database.prepare<unknown[], Derivation>('SELECT part AS name, stamp FROM derivation').all();
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}
