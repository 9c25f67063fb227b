/**
 * Collects pending index rows. Each row touches a separate page, so the rows of many records are written in one
 * transaction. A search flushes the backlog first. Invariant: the file stores the version up to which records are
 * indexed
 * in the transaction of their rows. The memory may be lost at any time, because the texts contain the values.
 */
import type { IndexRows } from '../../../core/fhir/index-rows.ts';
import { indexAlone } from '../derive-scope.ts';
import { indexWriter } from '../index-tables.ts';
import { createRowRebuilder, type RecordPosition } from './row-rebuilder.ts';
import { hasTable, preparePluck, isDiskError, isFull, type SqliteDatabase } from './sqlite.ts';

/** Records indexed in one transaction. That takes some 20 ms, in which nothing else is answered. */
export const maxPending = 128;

export class IndexBacklog {
  private readonly pendingRows = new Map<number, IndexRows>();
  private readonly rows: ReturnType<typeof indexWriter>;
  private readonly remake: ReturnType<typeof createRowRebuilder>;
  private readonly statements: ReturnType<typeof prepare>;
  private readonly database: SqliteDatabase;
  /** True if pending records are known only from the file, not from memory. */
  private lost: boolean;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.rows = indexWriter(database);
    this.remake = createRowRebuilder(database);
    this.statements = prepare(database);
    this.lost = this.statements.behind.get() !== undefined;
  }

  /** Returns true if the index rows of all records are stored. */
  get settled(): boolean {
    return !this.lost && this.pendingRows.size === 0;
  }

  /** Returns true if the backlog must be flushed now. */
  get full(): boolean {
    return this.pendingRows.size >= maxPending;
  }

  /** Adds the index rows of a record that was just written. The caller opens the transaction. */
  note(record: number, index: IndexRows): void {
    this.pendingRows.set(record, index);
  }

  /** Handles a rollback of versions or of index rows. */
  onRollback(): void {
    this.pendingRows.clear();
    this.lost = true;
  }

  /** Writes all pending rows. The caller opens the transaction. */
  settle(): void {
    if (this.settled) return;
    if (this.lost) {
      for (const position of this.statements.behind.all()) this.remake.remake(position, indexAlone, 0);
    } else {
      for (const [record, index] of this.pendingRows)
        this.rows.mend(record, { index, issues: [] }, indexAlone);
    }
    this.statements.mark.run();
    this.pendingRows.clear();
    this.lost = false;
  }

  /**
   * Runs a read with the index rows of all records. On a full disk, the rows exist only during the read.
   *
   * @param commit - Runs work in a transaction.
   * @throws the error of `commit` if the rows can't be created at all.
   */
  runIndexed<Found>(readRows: () => Found, commit: (work: () => void) => void): Found {
    const fault = this.hindered(commit);
    return fault ? this.readInRolledBackTransaction(readRows, fault.error) : readRows();
  }

  /**
   * Flushes the backlog so that other connections see the rows. Returns the error of a full or failed disk.
   *
   * @throws other errors of `commit`.
   */
  hindered(commit: (work: () => void) => void): { readonly error: unknown } | undefined {
    if (this.settled) return undefined;
    try {
      commit(() => this.settle());
      return undefined;
    } catch (error) {
      if (!isFull(error) && !isDiskError(error)) throw error;
      return { error };
    }
  }

  private readInRolledBackTransaction<Found>(readRows: () => Found, fault: unknown): Found {
    try {
      this.database.exec('BEGIN');
      this.settle();
    } catch {
      this.undo();
      throw fault;
    }
    try {
      return readRows();
    } finally {
      this.undo();
    }
  }

  private undo(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.onRollback();
  }
}

/** Delay in milliseconds before pending rows are written, so that later ones join them. */
const flushDelayMs = 100;

/** Creates the functions that flush a backlog. `commit` runs work in a transaction. */
export function createIndexFlusher(backlog: IndexBacklog, commit: (work: () => void) => void) {
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    if (backlog.settled) return;
    try {
      commit(() => backlog.settle());
    } catch {
      // The records are safe. The next search or the next start creates the index rows.
    }
  }

  /** Schedules a flush. Call it after each write. */
  function settleSoon(): void {
    if (backlog.settled) return;
    if (backlog.full) setImmediate(settle);
    else timer ??= setTimeout(settle, flushDelayMs).unref();
  }

  return { settle, settleSoon };
}

/** Returns the version up to which the records of a file are indexed. An open indexes the later ones. */
export function readIndexedVersion(database: SqliteDatabase): number {
  if (!hasTable(database, 'indexed')) return Infinity;
  return preparePluck<number>(database, 'SELECT version FROM indexed').get() ?? 0;
}

const markText =
  'INSERT OR REPLACE INTO indexed (single, version) SELECT 1, coalesce(max(pk), 0) FROM version';

/** Marks all versions as indexed. The caller opens the transaction. */
export function markIndexed(database: SqliteDatabase): void {
  database.exec(markText);
}

function prepare(database: SqliteDatabase) {
  return {
    behind: database.prepare<unknown[], RecordPosition>(
      `SELECT pk, type, current, issues_crc32, judge_again FROM record WHERE pk IN
         (SELECT record FROM version WHERE pk > coalesce((SELECT version FROM indexed), 0))`,
    ),
    mark: database.prepare(markText),
  };
}
