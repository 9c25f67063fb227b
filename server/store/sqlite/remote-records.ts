/**
 * What is known of another server's records: a database of its own for each connection. Called by the thread of
 * `remoteRecordsBeside`. Invariant: all in it is derived; a file that is not as it should be is made anew.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { QualityFinding } from '../../../core/app/quality.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { fold } from '../../../core/fhir/search-values.ts';
import { byType, countOf } from '../issue-rows.ts';
import { behindIssue, flaggedSql, issueConditions, issueCountSql } from '../issue-sql.ts';
import { KeptCounts } from '../kept-counts.ts';
import { issuePlace } from '../places.ts';
import type { IssueCounts, IssueQuery, TextQuery } from '../issue-query.ts';
import { every, limited, line, some, sql, type Sql, type Value } from '../sql.ts';
import { removeDatabase } from './backup-folder.ts';
import { connect, type SqliteDatabase } from './sqlite.ts';
import { Statements } from './statements.ts';

/** A record with what is wrong with it. */
export interface RemoteRecord extends Omit<QualityFinding, 'version' | Found> {
  /** As the server calls it. */
  readonly version: string;
  readonly findings: readonly Pick<QualityFinding, Found>[];
}
type Found = 'rule' | 'severity' | 'category' | 'message' | 'pointer' | 'excerpt';

/** What a page of another server changes. */
export interface RemoteChange {
  readonly type: ResourceType;
  /** Number of the run that read it. */
  readonly run: number;
  readonly records: readonly RemoteRecord[];
  /** Ids of records that are no more. */
  readonly deleted: readonly string[];
  /** Whether it is the last page: what runs before this one knew, and this one did not find, is dropped. */
  readonly last: boolean;
}

export type RemoteRecords = ReturnType<typeof openRemoteRecords>;

/** A file of another number is made anew. */
const form = 1;

const schema = `
CREATE TABLE record (pk INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
  last_updated TEXT NOT NULL, title TEXT NOT NULL, folded TEXT NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL,
  run INTEGER NOT NULL, UNIQUE (type, id)) STRICT;
CREATE TABLE issue (record INTEGER NOT NULL REFERENCES record ON DELETE CASCADE, rule TEXT NOT NULL,
  severity TEXT NOT NULL, category TEXT NOT NULL, pointer TEXT NOT NULL, message TEXT NOT NULL, excerpt TEXT NOT NULL) STRICT;
CREATE INDEX issue_rule ON issue (rule, record);
CREATE INDEX issue_record ON issue (record);
CREATE TABLE job (state TEXT NOT NULL) STRICT;
PRAGMA user_version = ${form};`;

/** Opens the file at `path`, or makes it. */
export function openRemoteRecords(path: string, clock: () => number) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = opened(path) ?? made(path);
  const statements = new Statements(database);
  const counts = new KeptCounts(clock);
  const known = database.prepare<unknown[], { version: string; last_updated: string; run: number }>(
    'SELECT version, last_updated, run FROM record WHERE type = ? AND id = ?',
  );
  const put = database.prepare<unknown[], { pk: number }>(
    `INSERT INTO record (type, id, version, last_updated, title, folded, subject, status, run)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (type, id) DO UPDATE SET version = excluded.version,
       last_updated = excluded.last_updated, title = excluded.title, folded = excluded.folded,
       subject = excluded.subject, status = excluded.status, run = excluded.run RETURNING pk`,
  );
  const clear = database.prepare('DELETE FROM issue WHERE record = ?');
  const add = database.prepare('INSERT INTO issue VALUES (?, ?, ?, ?, ?, ?, ?)');
  const drop = database.prepare('DELETE FROM record WHERE type = ? AND id = ?');
  const dropFormer = database.prepare('DELETE FROM record WHERE type = ? AND run < ?');
  const readJob = database.prepare<unknown[], { state: string }>('SELECT state FROM job');
  const dropJob = database.prepare('DELETE FROM job');
  const addJob = database.prepare('INSERT INTO job VALUES (?)');
  const together = <Result>(change: () => Result): Result => database.transaction(change)();
  let written = 0;

  /** Stores a record of a run, unless it is known in that version, or in a later one; answers whether it did. */
  function store(record: RemoteRecord, run: number): boolean {
    const { type, id, version, lastUpdated, title, subject, status, findings } = record;
    const found = known.get(type, id);
    if (found?.run === run) {
      const same = version !== '' && found.version === version;
      if (same || Date.parse(found.last_updated) > Date.parse(lastUpdated)) return false;
    }
    const row = put.get(type, id, version, lastUpdated, title, fold(title), subject, status, run);
    if (!row) return false;
    clear.run(row.pk);
    for (const { rule, severity, category, pointer, message, excerpt } of findings) {
      add.run(row.pk, rule, severity, category, pointer, message, excerpt);
    }
    return true;
  }

  function apply({ type, run, records, deleted, last }: RemoteChange): number {
    for (const id of deleted) drop.run(type, id);
    const stored = records.filter((record) => store(record, run)).length;
    written += 1;
    if (last) {
      dropFormer.run(type, run);
      counts.forget();
    }
    return stored;
  }

  return {
    /** The job's state as it was kept last, a JSON text. */
    job: (): string | undefined => readJob.get()?.state,

    /** Keeps a job's state with what a page changes, all or nothing; answers how many records the page added to `read`. */
    keep: (state: { readonly read: number }, change?: RemoteChange): number =>
      together(() => {
        const stored = change ? apply(change) : 0;
        dropJob.run();
        addJob.run(JSON.stringify({ ...state, read: state.read + stored }));
        return stored;
      }),

    /** Stores a record beside the job's pages. */
    put: (record: RemoteRecord, run: number): void => {
      together(() => store(record, run));
      counts.forget();
    },

    records: (): Record<ResourceType, number> =>
      byType(statements.rows(sql('SELECT type, count(*) FROM record GROUP BY type'))),

    counts: (query: IssueQuery): IssueCounts =>
      counts.get(query, written, () => {
        const flagged = byType(statements.rows(flaggedSql));
        const found = statements.rows(issueCountSql(query, textCondition)).map(countOf);
        return { counted: clock(), counts: found, flagged };
      }),

    /** Findings in the order of their records, those behind `after`; at most `limit`. */
    findings: (query: IssueQuery, after: string | undefined, limit: number) =>
      statements.rows(pageSql(query, after, limit)).map(findingOf),

    close: (): void => {
      database.close();
    },
  };
}

/** The file as it is; undefined where it is not as it should be. */
function opened(path: string): SqliteDatabase | undefined {
  let database: SqliteDatabase | undefined;
  try {
    database = connect(path);
    chmodSync(path, 0o600);
    configure(database);
    const known = database.pragma('user_version', { simple: true }) === form;
    if (known && database.pragma('quick_check(1)', { simple: true }) === 'ok') return database;
  } catch {
    // Whatever it is, it is no such file.
  }
  database?.close();
  return undefined;
}

function made(path: string): SqliteDatabase {
  removeDatabase(path);
  const database = connect(path);
  chmodSync(path, 0o600);
  configure(database);
  database.exec(schema);
  return database;
}

/** What a power cut takes is read again. */
function configure(database: SqliteDatabase): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
}

/** Of the same form as of the stored records: what each rule, title, id, pointer or subject holds. */
function textCondition({ part, title, rules }: TextQuery): Sql {
  return some([
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
    every([...issueConditions(query, textCondition), ...behindIssue(after)]),
    `ORDER BY i.record, i.rowid ${limited(limit)}`,
  );
}

function findingOf([record, row, ...values]: Value[]): { place: string; finding: QualityFinding } {
  const [type, id, version, title, subject, status, lastUpdated, rule, severity, category, ...texts] =
    values.map(String);
  const [message = '', pointer = '', excerpt = ''] = texts;
  const finding = {
    ...{ type, id, title, subject, status, lastUpdated, rule, severity, category, message, pointer, excerpt },
    version: Number(version) || 0,
  };
  return { place: issuePlace(record, row), finding: finding as QualityFinding };
}
