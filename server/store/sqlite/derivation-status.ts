/**
 * Tracks the derived parts of a database that are current for all records, and the rebuild of outdated ones. Invariant:
 * every write uses the derivations of the running program. A part is therefore current once the rebuild has passed the
 * records that existed before. A part is never noted as current for older derivations once the program may have
 * written.
 */
import type { Derivation } from '../../../core/derive/derivations.ts';
import { planDerivation } from '../derivation-plan.ts';
import { hasTable, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/** A rebuild in progress. */
export interface Rebuild {
  /** Parts to rebuild. */
  readonly parts: ReadonlySet<string>;
  /** Primary key of the last rebuilt record. */
  readonly lastRebuiltPk: number;
  /** Primary key of the last record to rebuild. The running program wrote the later ones. */
  readonly endPk: number;
  /** Number of records whose text can't be read. */
  readonly skippedCount: number;
}

interface RebuildRow extends Omit<Rebuild, 'parts'> {
  /** JSON of the fingerprints by part. */
  readonly parts: string;
}

interface DerivationRow extends Derivation {
  /** Instant of the last complete rebuild. */
  readonly rebuiltAtMs: number;
}

export class DerivationStatus {
  /** Instants since which parts are current, by part. */
  readonly currentParts = new Map<string, number>();
  rebuild: Rebuild | undefined;
  private readonly database: SqliteDatabase;
  private readonly stamps: ReadonlyMap<string, string>;

  constructor(database: SqliteDatabase, derivations: readonly Derivation[]) {
    this.database = database;
    this.stamps = new Map(derivations.map(({ name, stamp }) => [name, stamp]));
    this.load();
  }

  /** Reads the stored status. Call it again after a rollback. */
  load(): void {
    this.currentParts.clear();
    const rows = this.database
      .prepare<unknown[], DerivationRow>('SELECT part AS name, stamp, made AS rebuiltAtMs FROM derivation')
      .all();
    for (const { name, stamp, rebuiltAtMs } of rows) {
      if (this.stamps.get(name) === stamp) this.currentParts.set(name, rebuiltAtMs);
    }
    const row = this.database
      .prepare<unknown[], RebuildRow>(
        'SELECT parts, done AS lastRebuiltPk, last AS endPk, skipped AS skippedCount FROM rebuild',
      )
      .get();
    this.rebuild = row && { ...row, parts: new Set(Object.keys(parseFingerprints(row.parts))) };
  }

  /**
   * Stores the outdated parts before the first write, and their rebuild. A rebuild of the same derivations resumes. A
   * database without records needs no rebuild.
   */
  storePlan(now: number): void {
    const parts = preparePluck<string>(this.database, 'SELECT parts FROM rebuild').get();
    const storedFingerprints =
      parts === undefined ? undefined : new Map(Object.entries(parseFingerprints(parts)));
    const plan = planDerivation(this.stamps, readFingerprints(this.database), storedFingerprints);
    if (!plan) return;
    this.database
      .transaction(() => {
        for (const part of plan.outdated) this.run('DELETE FROM derivation WHERE part = ?', part);
        if (plan.startedParts) this.startRebuildOf(plan.startedParts, now);
      })
      .immediate();
    this.load();
  }

  /** Starts the rebuild of parts, together with the parts in progress. The caller opens the transaction. */
  startRebuildOf(parts: ReadonlySet<string>, now: number): void {
    const lastRecord = preparePluck<number | null>(this.database, 'SELECT max(pk) FROM record').get();
    const stamps = Object.fromEntries([...this.stamps].filter(([part]) => parts.has(part)));
    this.run('DELETE FROM rebuild');
    if (parts.size === 0) return;
    if (typeof lastRecord === 'number') {
      this.run(
        'INSERT INTO rebuild (single, parts, done, last, skipped) VALUES (1, ?, 0, ?, 0)',
        JSON.stringify(stamps),
        lastRecord,
      );
    } else this.markCurrent(stamps, now);
  }

  /** Stores the progress of the rebuild. The caller opens the transaction. */
  storeProgress(done: number, skippedCount: number): void {
    this.run('UPDATE rebuild SET done = ?, skipped = ?', done, skippedCount);
  }

  /** Ends the rebuild and marks its parts as current. The caller opens the transaction. */
  finishRebuild(now: number): void {
    const parts = preparePluck<string>(this.database, 'SELECT parts FROM rebuild').get();
    this.markCurrent(parseFingerprints(parts ?? '{}'), now);
    this.run('DELETE FROM rebuild');
  }

  private markCurrent(stamps: Readonly<Record<string, string>>, now: number): void {
    for (const [part, stamp] of Object.entries(stamps)) {
      this.run('INSERT OR REPLACE INTO derivation (part, stamp, made) VALUES (?, ?, ?)', part, stamp, now);
    }
  }

  private run(sql: string, ...values: (string | number)[]): void {
    this.database.prepare(sql).run(...values);
  }
}

function parseFingerprints(parts: string): Record<string, string> {
  return JSON.parse(parts) as Record<string, string>;
}

/** Reads the fingerprints of a file. Empty if its schema is older. */
export function readFingerprints(database: SqliteDatabase): ReadonlyMap<string, string> {
  if (!hasTable(database, 'derivation')) return new Map();
  const rows = database.prepare<unknown[], Derivation>('SELECT part AS name, stamp FROM derivation').all();
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}
