import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { prepareBatches, type BatchStatements } from './batch-statements.ts';
import { prepareRemoved } from './removed-records.ts';
import { checksumOf, quickSumOf } from '../checksum.ts';
import { findingLife, type FindingLife } from './finding-life.ts';
import { entryOf } from '../write-entry.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import {
  issueSumOf,
  sortColumns,
  findingsOnly,
  mergeForeignIssues,
  indexAlone,
  type SortColumns,
} from '../index-tables.ts';
import { indexWriter, issueSum, listExistingIssues } from './index-writer.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { perType } from '../../../core/fhir/resource.ts';
import {
  hasTable,
  prepare,
  preparePluck,
  isDiskError,
  isFull,
  type SqliteDatabase,
  type Statement,
} from '../../sqlite/sqlite.ts';
import type { NewVersion } from '../store.ts';
import type { IndexRows } from '../../../core/derive/derive.ts';
import { createRowRebuilder, positionColumns, type RecordPosition } from './row-rebuilder.ts';

export type VersionWriter = ReturnType<typeof versionWriter>;

interface RecordRow extends SortColumns {
  readonly pk: number;
  readonly current: number;
  /** Checksum of the issue rows. Null if the record was not written since the column exists. */
  readonly issues_crc32: number | null;
  readonly judge_again: number | null;
}

const returnedColumns = 'pk, current, issues_crc32, judge_again, sort_date, status, title';

/** Writes versions with their issue and audit rows. The caller opens the transaction. Index rows go to the backlog. */
export function versionWriter(database: SqliteDatabase, backlog: IndexBacklog, key?: SealKey) {
  const addVersion = database.prepare(
    `INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
       person, reason, sha256, crc32, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // Both statements name the row of the version before it exists, so that the record is written once.
  const nextRow = '(SELECT coalesce(max(pk), 0) + 1 FROM version)';
  // A file of an older format, opened for inspection, has no removed records.
  const removed = prepareRemoved(database);
  // A removed record keeps its key and its id.
  const highestRemoved = removed ? '(SELECT coalesce(max(record), 0) FROM removed)' : '0';
  const addRecord = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `INSERT INTO record (pk, type, id, version, last_updated, sort_date, status, title, issues_crc32, judge_again, current)
       SELECT 1 + max((SELECT coalesce(max(pk), 0) FROM record), ${highestRemoved}),
         '${type}', @id, ?, ?, ?, ?, ?, ?, ?, ${nextRow}
       WHERE NOT EXISTS (SELECT 1 FROM record WHERE type = '${type}' AND id = @id)
         ${removed ? `AND NOT EXISTS (SELECT 1 FROM removed WHERE type = '${type}' AND id = @id)` : ''}
       RETURNING ${returnedColumns}`,
    ),
  );
  // The WHERE clause of the UPDATE compares the version, so no write can come in between.
  const advanceRecord = perType((type) =>
    database.prepare<unknown[], RecordRow>(
      `UPDATE record SET version = ?, last_updated = ?, current = ${nextRow}
       WHERE type = '${type}' AND id = ? AND version = ? RETURNING ${returnedColumns}`,
    ),
  );
  // A file of an older format, opened for inspection, has no batches and no origins.
  let batches: BatchStatements | undefined;
  let addOrigin: Statement<unknown> | undefined;
  const sortUpdates = sortColumns.map(([column, key]) => ({
    column,
    key,
    set: database.prepare(`UPDATE record SET ${column} = ? WHERE pk = ?`),
  }));
  const rows = indexWriter(database);
  // A file of an older format, opened for inspection, has no states of findings.
  let findingHistory: FindingLife | undefined;
  const listExisting = listExistingIssues(database);
  const sumOfIssues = issueSum(database);
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const setDay = database.prepare('UPDATE record SET judge_again = ? WHERE pk = ?');
  const trail = new AuditLogWriter(database, key);

  function addLine(pk: number, next: NewVersion, before: number | undefined): void {
    if (next.batchLine) (batches ??= prepareBatches(database)).addVersion(pk, next, before);
  }

  function store({ pk, current }: RecordRow, next: NewVersion, before?: number): void {
    const { type, id, version, lastUpdated, operation, text } = next;
    const { author, person = null, reason = null } = next;
    const { date, status, title } = next.index.sort;
    const sha256 = checksumOf(text);
    addVersion.run(
      current,
      pk,
      type,
      id,
      version,
      lastUpdated,
      date,
      status,
      title,
      operation,
      author,
      person,
      reason,
      sha256,
      quickSumOf(text),
      text,
    );
    trail.add([entryOf(next, before, sha256)]);
    addLine(pk, next, before);
    backlog.addRows(pk, next.index);
  }

  function writeIssues(pk: number, next: NewVersion, issues: readonly IssueRow[]): string[] {
    return rows.reconcile(pk, { ...next, issues }, findingsOnly, true, dayOfWrite(next));
  }

  function addOriginOf({ type, id, origin }: NewVersion): void {
    if (!origin) return;
    const { source, batch, fullUrl = null } = origin;
    addOrigin ??= prepare(
      database,
      'INSERT INTO origin (type, id, source, batch, full_url) VALUES (?, ?, ?, ?, ?)',
    );
    addOrigin.run(type, id, source, batch, fullUrl);
  }

  /** Stores the next version of a removed record. */
  function insertRemoved(next: NewVersion): 'returned' | 'removed' | 'exists' {
    const { type, id, version } = next;
    const last = removed?.bringBack(type, id, version);
    if (!last) return 'exists';
    if (version <= last.version) return 'removed';
    writer.replace({ ...next, batchLine: undefined }, last.version);
    // For its batch, the record is new.
    addLine(last.record, next, undefined);
    addOriginOf(next);
    return 'returned';
  }

  const writer = {
    /** Stores a first version. `returned` is the next version of a removed record. */
    insert(next: NewVersion): 'stored' | 'returned' | 'removed' | 'exists' {
      const { type, id, version, lastUpdated } = next;
      const { date, status, title } = next.index.sort;
      const recordRow = addRecord[type].get(
        { id },
        version,
        lastUpdated,
        date,
        status,
        title,
        issueSumOf(next),
        next.revalidateAtMs ?? null,
      );
      if (!recordRow) return insertRemoved(next);
      store(recordRow, next);
      addOriginOf(next);
      if (next.issues.length > 0) writeIssues(recordRow.pk, next, next.issues);
      return 'stored';
    },

    replace(next: NewVersion, expected: number): 'stored' | 'stale' {
      const { type, id, version, lastUpdated } = next;
      const recordRow = advanceRecord[type].get(version, lastUpdated, id, expected);
      if (!recordRow) return 'stale';
      store(recordRow, next, expected);
      for (const { column, key, set } of sortUpdates) {
        const value = next.index.sort[key];
        if (value !== recordRow[column]) set.run(value, recordRow.pk);
      }
      const { movedIssues = [] } = next;
      if (movedIssues.length > 0)
        (findingHistory ??= findingLife(database)).moves(recordRow.pk, movedIssues, dayOfWrite(next));
      const issues = mergeForeignIssues(next.issues, listExisting(recordRow.pk));
      const changedTables = writeIssues(recordRow.pk, next, issues);
      const isChanged = changedTables.length > 0 || movedIssues.length > 0;
      if (isChanged || recordRow.issues_crc32 === null) setSum.run(sumOfIssues(recordRow.pk), recordRow.pk);
      const { revalidateAtMs = null } = next;
      if (revalidateAtMs !== recordRow.judge_again) setDay.run(revalidateAtMs, recordRow.pk);
      return 'stored';
    },
  };
  return writer;
}

/** Returns the number of the day on which findings start and end with a version. */
function dayOfWrite({ lastUpdated }: Pick<NewVersion, 'lastUpdated'>): number {
  return dayNumber(Date.parse(lastUpdated));
}

// Collects pending index rows. Each row touches a separate page, so the rows of many records are written in one
// transaction. A search flushes the backlog first. Invariant: the file stores the version up to which records are
// indexed in the transaction of their rows. The memory may be lost at any time, because the texts contain the values.

/** Records indexed in one transaction. That takes some 20 ms, in which nothing else is answered. */
export const maxPending = 128;

export class IndexBacklog {
  private readonly pendingRows = new Map<number, IndexRows>();
  private readonly rows: ReturnType<typeof indexWriter>;
  private readonly rowRebuilder: ReturnType<typeof createRowRebuilder>;
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly database: SqliteDatabase;
  /** True if pending records are known only from the file, not from memory. */
  private isLost: boolean;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.rows = indexWriter(database);
    this.rowRebuilder = createRowRebuilder(database);
    this.statements = prepareStatements(database);
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

function prepareStatements(database: SqliteDatabase) {
  return {
    behind: database.prepare<unknown[], RecordPosition>(
      `SELECT ${positionColumns} FROM record WHERE pk IN
         (SELECT record FROM version WHERE pk > coalesce((SELECT version FROM indexed), 0))`,
    ),
    mark: database.prepare(markText),
  };
}
