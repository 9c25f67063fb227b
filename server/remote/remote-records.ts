/**
 * Stores the records of another server, in a separate database for each connection. Called by the worker thread of
 * `createRemoteRecordsWorker`. Invariant: all rows are derived, so an invalid file is created again.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { QualityFinding } from '../../core/app/quality.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { fold } from '../../core/fhir/search-values.ts';
import { byType, countOf } from '../store/issue-rows.ts';
import { behindIssue, flaggedSql, issueConditions, issueCountSql } from '../store/issue-sql.ts';
import { CountCache } from '../store/count-cache.ts';
import { formatIssueCursor } from '../store/row-cursors.ts';
import type { IssueCounts, IssueQuery, TextQuery } from '../store/issue-query.ts';
import { joinAnd, limited, line, joinOr, sql, type Sql, type Value } from '../store/sql.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { connect, prepareRaw, type SqliteDatabase } from '../sqlite/sqlite.ts';

export interface RemoteRecord extends Omit<QualityFinding, 'version' | RemoteFindingKey> {
  /** Version in the notation of the server. */
  readonly version: string;
  readonly findings: readonly Pick<QualityFinding, RemoteFindingKey>[];
}
type RemoteFindingKey = 'rule' | 'severity' | 'category' | 'message' | 'pointer' | 'excerpt';

/** Changes of one page of another server. */
export interface RemoteChange {
  readonly type: ResourceType;
  /** Number of the run that read it. */
  readonly run: number;
  readonly records: readonly RemoteRecord[];
  readonly deleted: readonly string[];
  /** True if it is the last page. Records that this run did not find are then removed. */
  readonly isLastPage: boolean;
}

export type RemoteRecords = ReturnType<typeof openRemoteRecords>;

/** Format of the file. A file with another number is created again. */
const formatVersion = 1;

const schema = `
CREATE TABLE record (pk INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
  last_updated TEXT NOT NULL, title TEXT NOT NULL, folded TEXT NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL,
  run INTEGER NOT NULL, UNIQUE (type, id)) STRICT;
CREATE TABLE issue (record INTEGER NOT NULL REFERENCES record ON DELETE CASCADE, rule TEXT NOT NULL,
  severity TEXT NOT NULL, category TEXT NOT NULL, pointer TEXT NOT NULL, message TEXT NOT NULL, excerpt TEXT NOT NULL) STRICT;
CREATE INDEX issue_rule ON issue (rule, record);
CREATE INDEX issue_record ON issue (record);
CREATE TABLE job (state TEXT NOT NULL) STRICT;
PRAGMA user_version = ${formatVersion};`;

/** Opens the file at `path`, or creates it. */
export function openRemoteRecords(path: string, clock: () => number) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = openValid(path) ?? createFile(path);
  const selectRows = ({ text, values }: Sql) => prepareRaw<Value[]>(database, text).all(...values);
  const counts = new CountCache(clock);
  const knownStatement = database.prepare<unknown[], { version: string; last_updated: string; run: number }>(
    'SELECT version, last_updated, run FROM record WHERE type = ? AND id = ?',
  );
  const upsertRecord = database.prepare<unknown[], { pk: number }>(
    `INSERT INTO record (type, id, version, last_updated, title, folded, subject, status, run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (type, id) DO UPDATE SET version = excluded.version,
       last_updated = excluded.last_updated, title = excluded.title, folded = excluded.folded,
       subject = excluded.subject, status = excluded.status, run = excluded.run RETURNING pk`,
  );
  const deleteIssues = database.prepare('DELETE FROM issue WHERE record = ?');
  const insertIssue = database.prepare('INSERT INTO issue VALUES (?, ?, ?, ?, ?, ?, ?)');
  const deleteRecord = database.prepare('DELETE FROM record WHERE type = ? AND id = ?');
  const removePrevious = database.prepare('DELETE FROM record WHERE type = ? AND run < ?');
  const readJob = database.prepare<unknown[], { state: string }>('SELECT state FROM job');
  const dropJob = database.prepare('DELETE FROM job');
  const addJob = database.prepare('INSERT INTO job VALUES (?)');
  const runInTransaction = <Result>(change: () => Result): Result => database.transaction(change)();
  let changeCount = 0;

  /** Stores a record of a run, unless the same or a later version is known. Returns true if it was stored. */
  function store(record: RemoteRecord, run: number): boolean {
    const { type, id, version, lastUpdated, title, subject, status, findings } = record;
    const knownRecord = knownStatement.get(type, id);
    if (knownRecord?.run === run) {
      const isSameVersion = version !== '' && knownRecord.version === version;
      if (isSameVersion || Date.parse(knownRecord.last_updated) > Date.parse(lastUpdated)) return false;
    }
    const row = upsertRecord.get(type, id, version, lastUpdated, title, fold(title), subject, status, run);
    if (!row) return false;
    deleteIssues.run(row.pk);
    for (const { rule, severity, category, pointer, message, excerpt } of findings) {
      insertIssue.run(row.pk, rule, severity, category, pointer, message, excerpt);
    }
    return true;
  }

  function apply({ type, run, records, deleted, isLastPage }: RemoteChange): number {
    for (const id of deleted) deleteRecord.run(type, id);
    const storedCount = records.filter((record) => store(record, run)).length;
    changeCount += 1;
    if (isLastPage) {
      removePrevious.run(type, run);
      counts.forget();
    }
    return storedCount;
  }

  return {
    /** Returns the last stored state of the job as JSON text. */
    job: (): string | undefined => readJob.get()?.state,

    /**
     * Stores the state of a job with the changes of a page, all or nothing. Returns the number of records that the page
     * added to `read`.
     */
    keep: (state: { readonly read: number }, change?: RemoteChange): number =>
      runInTransaction(() => {
        const storedCount = change ? apply(change) : 0;
        dropJob.run();
        addJob.run(JSON.stringify({ ...state, read: state.read + storedCount }));
        return storedCount;
      }),

    /** Stores a record outside the pages of the job. */
    put: (record: RemoteRecord, run: number): void => {
      runInTransaction(() => store(record, run));
      counts.forget();
    },

    records: (): Record<ResourceType, number> =>
      byType(selectRows(sql('SELECT type, count(*) FROM record GROUP BY type'))),

    counts: (query: IssueQuery): IssueCounts =>
      counts.get(query, changeCount, () => {
        const flaggedCounts = byType(selectRows(flaggedSql));
        const rows = selectRows(issueCountSql(query, sqliteDialect, textCondition)).map(countOf);
        return { countedAtMs: clock(), counts: rows, flagged: flaggedCounts };
      }),

    /** Returns up to `limit` findings after `after`, in the order of their records. */
    findings: (query: IssueQuery, after: string | undefined, limit: number) =>
      selectRows(pageSql(query, after, limit)).map(findingOf),

    close: (): void => {
      database.close();
    },
  };
}

/** Opens the file. Returns undefined if it is invalid. */
function openValid(path: string): SqliteDatabase | undefined {
  let database: SqliteDatabase | undefined;
  try {
    database = connect(path);
    chmodSync(path, 0o600);
    configure(database);
    const known = database.pragma('user_version', { simple: true }) === formatVersion;
    if (known && database.pragma('quick_check(1)', { simple: true }) === 'ok') return database;
  } catch {
    // Not a valid file.
  }
  database?.close();
  return undefined;
}

function createFile(path: string): SqliteDatabase {
  removeDatabase(path);
  const database = connect(path);
  chmodSync(path, 0o600);
  configure(database);
  database.exec(schema);
  return database;
}

/** Data lost in a power cut is read again from the server. */
function configure(database: SqliteDatabase): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
}

/** Builds the same text condition as for stored records: on rule, title, id, pointer or subject. */
function textCondition({ part, title, rules }: TextQuery): Sql {
  return joinOr([
    ...(rules.length === 0 ? [] : [sql(`+i.rule IN (${rules.map(() => '?').join(', ')})`, ...rules)]),
    sql('instr(r.folded, ?) > 0', title),
    ...['r.id', 'i.pointer', 'r.subject'].map((column) => sql(`instr(lower(${column}), ?) > 0`, part)),
  ]);
}

function pageSql(query: IssueQuery, after: string | undefined, limit: number): Sql {
  return line(
    `SELECT i.record, i.rowid, r.type, r.id, r.version, r.title, r.subject, r.status, r.last_updated,
       i.rule, i.severity, i.category, i.message, i.pointer, i.excerpt
     FROM issue i CROSS JOIN record r ON r.pk = i.record WHERE`,
    joinAnd([...issueConditions(query, sqliteDialect, textCondition), ...behindIssue(after, sqliteDialect)]),
    `ORDER BY i.record, i.rowid ${limited(limit)}`,
  );
}

function findingOf([record, row, ...values]: Value[]): { place: string; finding: QualityFinding } {
  const [type, id, version, title, subject, status, lastUpdated, rule, severity, category, ...texts] =
    values.map(String);
  const [message = '', pointer = '', excerpt = ''] = texts;
  const finding = {
    type,
    id,
    title,
    subject,
    status,
    lastUpdated,
    rule,
    severity,
    category,
    message,
    pointer,
    excerpt,
    version: Number(version) || 0,
  };
  return { place: formatIssueCursor(record, row), finding: finding as QualityFinding };
}
