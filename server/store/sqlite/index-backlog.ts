/**
 * The index rows that are not made yet: each is a page of its own to SQLite, so those of many records are written in one
 * transaction. Searches have what waits made first. Invariant: the file says up to which version its records are
 * indexed, in the same transaction as their rows; what is kept here may be lost at any time, as the texts tell it.
 */
import type { IndexRows } from '../../../core/fhir/index-rows.ts';
import { indexAlone } from '../derive-scope.ts';
import { indexWriter } from '../index-tables.ts';
import { remaker, type RecordPlace } from './remake.ts';
import { hasTable, preparePluck, isDiskFault, isFull, type SqliteDatabase } from './sqlite.ts';

/** Records whose rows are made in one go: in some 20 ms, in which nothing else is answered. */
export const mostWaiting = 128;

export class IndexBacklog {
  private readonly waiting = new Map<number, IndexRows>();
  private readonly rows: ReturnType<typeof indexWriter>;
  private readonly remake: ReturnType<typeof remaker>;
  private readonly statements: ReturnType<typeof prepare>;
  private readonly database: SqliteDatabase;
  /** Whether the file alone tells what waits. */
  private lost: boolean;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.rows = indexWriter(database);
    this.remake = remaker(database);
    this.statements = prepare(database);
    this.lost = this.statements.behind.get() !== undefined;
  }

  /** Whether the rows of all records are made. */
  get settled(): boolean {
    return !this.lost && this.waiting.size === 0;
  }

  /** Whether so much waits that it is to be made now. */
  get full(): boolean {
    return this.waiting.size >= mostWaiting;
  }

  /** The rows of a record that was just written are these; within the caller's transaction. */
  note(record: number, index: IndexRows): void {
    this.waiting.set(record, index);
  }

  /** Something was undone: what was noted, or the making of rows. */
  undone(): void {
    this.waiting.clear();
    this.lost = true;
  }

  /** Makes the rows of all that waits; within the caller's transaction. */
  settle(): void {
    if (this.settled) return;
    if (this.lost) {
      for (const place of this.statements.behind.all()) this.remake.remake(place, indexAlone, 0);
    } else {
      for (const [record, index] of this.waiting) this.rows.mend(record, { index, issues: [] }, indexAlone);
    }
    this.statements.mark.run();
    this.waiting.clear();
    this.lost = false;
  }

  /**
   * What `read` finds once the rows of all records are made; `commit` has them written. Where the disk is full they are
   * made for as long as the reading takes.
   *
   * @throws what `commit` does, where they cannot be made at all.
   */
  seenBy<Found>(read: () => Found, commit: (work: () => void) => void): Found {
    const fault = this.hindered(commit);
    return fault ? this.meanwhile(read, fault.error) : read();
  }

  /**
   * Has the rows of all records made, so that others see them; answers the fault of a disk that does not take them.
   *
   * @throws what `commit` does beside.
   */
  hindered(commit: (work: () => void) => void): { readonly error: unknown } | undefined {
    if (this.settled) return undefined;
    try {
      commit(() => this.settle());
      return undefined;
    } catch (error) {
      if (!isFull(error) && !isDiskFault(error)) throw error;
      return { error };
    }
  }

  private meanwhile<Found>(read: () => Found, fault: unknown): Found {
    try {
      this.database.exec('BEGIN');
      this.settle();
    } catch {
      this.undo();
      throw fault;
    }
    try {
      return read();
    } finally {
      this.undo();
    }
  }

  private undo(): void {
    if (this.database.inTransaction) this.database.exec('ROLLBACK');
    this.undone();
  }
}

/** Milliseconds that rows wait for others. */
const rest = 100;

/** Settles a backlog by itself; `commit` has work written. */
export function settler(backlog: IndexBacklog, commit: (work: () => void) => void) {
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    if (backlog.settled) return;
    try {
      commit(() => backlog.settle());
    } catch {
      // What was written is safe: the next search, or the next start, has the rows made.
    }
  }

  /** To be called behind each write. */
  function settleSoon(): void {
    if (backlog.settled) return;
    if (backlog.full) setImmediate(settle);
    else timer ??= setTimeout(settle, rest).unref();
  }

  return { settle, settleSoon };
}

/** Up to which version a file's records are indexed; later ones are to be indexed when it is opened. */
export function indexedUpTo(database: SqliteDatabase): number {
  if (!hasTable(database, 'indexed')) return Infinity;
  return preparePluck<number>(database, 'SELECT version FROM indexed').get() ?? 0;
}

const markText =
  'INSERT OR REPLACE INTO indexed (single, version) SELECT 1, coalesce(max(pk), 0) FROM version';

/** Says that no version waits for its rows; within the caller's transaction. */
export function markIndexed(database: SqliteDatabase): void {
  database.exec(markText);
}

function prepare(database: SqliteDatabase) {
  return {
    behind: database.prepare<unknown[], RecordPlace>(
      `SELECT pk, type, current, issues_crc32, judge_again FROM record WHERE pk IN
         (SELECT record FROM version WHERE pk > coalesce((SELECT version FROM indexed), 0))`,
    ),
    mark: database.prepare(markText),
  };
}
