/**
 * Collects pending index rows. Each row touches a separate page, so the rows of many records are written in one
 * transaction. A search flushes the backlog first. Invariant: the file stores the version up to which records are
 * indexed in the transaction of their rows. The memory may be lost at any time, because the texts contain the values.
 */
import type { IndexRows } from '../../../core/derive/derive.ts';
import { indexAlone } from '../derive-scope.ts';
import { indexWriter } from './index-writer.ts';
import { createRowRebuilder, positionColumns, type RecordPosition } from './row-rebuilder.ts';
import { hasTable, preparePluck, isDiskError, isFull, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Records indexed in one transaction. That takes some 20 ms, in which nothing else is answered. */
export const maxPending = 128;

export class IndexBacklog {
  private readonly pendingRows = new Map<number, IndexRows>();
  private readonly rows: ReturnType<typeof indexWriter>;
  private readonly rowRebuilder: ReturnType<typeof createRowRebuilder>;
  private readonly statements: ReturnType<typeof prepare>;
  private readonly database: SqliteDatabase;
  /** True if pending records are known only from the file, not from memory. */
  private isLost: boolean;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.rows = indexWriter(database);
    this.rowRebuilder = createRowRebuilder(database);
    this.statements = prepare(database);
    this.isLost = this.statements.behind.get() !== undefined;
  }

  /** Returns true if the index rows of all records are stored. */
  get isEmpty(): boolean {
    return !this.isLost && this.pendingRows.size === 0;
  }

  /** Returns true if the backlog must be flushed now. */
  get isFull(): boolean {
    return this.pendingRows.size >= maxPending;
  }

  /** Adds the index rows of a record that was just written. The caller opens the transaction. */
  addRows(record: number, index: IndexRows): void {
    this.pendingRows.set(record, index);
  }

  /** Handles a rollback of versions or of index rows. */
  onRollback(): void {
    this.pendingRows.clear();
    this.isLost = true;
  }

  /** Writes all pending rows. The caller opens the transaction. */
  writeAll(): void {
    if (this.isEmpty) return;
    if (this.isLost) {
      for (const position of this.statements.behind.all()) this.rowRebuilder.rebuild(position, indexAlone, 0);
    } else {
      for (const [record, index] of this.pendingRows)
        this.rows.reconcile(record, { index, issues: [] }, indexAlone);
    }
    this.statements.mark.run();
    this.pendingRows.clear();
    this.isLost = false;
  }

  /**
   * Runs a read with the index rows of all records. On a full disk, the rows exist only during the read.
   *
   * @param commit - Runs work in a transaction.
   * @throws the error of `commit` if the rows can't be created at all.
   */
  runIndexed<Found>(readRows: () => Found, commit: (work: () => void) => void): Found {
    const fault = this.tryFlush(commit);
    return fault ? this.readInRolledBackTransaction(readRows, fault.error) : readRows();
  }

  /**
   * Flushes the backlog so that other connections see the rows. Returns the error of a full or failed disk.
   *
   * @throws other errors of `commit`.
   */
  tryFlush(commit: (work: () => void) => void): { readonly error: unknown } | undefined {
    if (this.isEmpty) return undefined;
    try {
      commit(() => this.writeAll());
      return undefined;
    } catch (error) {
      if (!isFull(error) && !isDiskError(error)) throw error;
      return { error };
    }
  }

  private readInRolledBackTransaction<Found>(readRows: () => Found, fault: unknown): Found {
    try {
      this.database.exec('BEGIN');
      this.writeAll();
    } catch {
      this.rollBack();
      throw fault;
    }
    try {
      return readRows();
    } finally {
      this.rollBack();
    }
  }

  private rollBack(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.onRollback();
  }
}

/** Delay in milliseconds before pending rows are written, so that later ones join them. */
const flushDelayMs = 100;

/** Creates the functions that flush a backlog. `commit` runs work in a transaction. */
export function createIndexFlusher(backlog: IndexBacklog, commit: (work: () => void) => void) {
  let timer: NodeJS.Timeout | undefined;

  function writeBacklog(): void {
    clearTimeout(timer);
    timer = undefined;
    if (backlog.isEmpty) return;
    try {
      commit(() => backlog.writeAll());
    } catch {
      // The records are safe. The next search or the next start creates the index rows.
    }
  }

  /** Schedules a flush. Call it after each write. */
  function scheduleWrite(): void {
    if (backlog.isEmpty) return;
    if (backlog.isFull) setImmediate(writeBacklog);
    else timer ??= setTimeout(writeBacklog, flushDelayMs).unref();
  }

  return { writeBacklog, scheduleWrite };
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
      `SELECT ${positionColumns} FROM record WHERE pk IN
         (SELECT record FROM version WHERE pk > coalesce((SELECT version FROM indexed), 0))`,
    ),
    mark: database.prepare(markText),
  };
}
