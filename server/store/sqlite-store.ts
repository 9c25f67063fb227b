import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { backUp, emptyTables } from './backup.ts';
import { recordMigrations } from './migrations.ts';
import { textCheck, type TextCheck } from './checksum.ts';
import { RecordHistory } from './record-history.ts';
import {
  RecordQuality,
  type IssueCounts,
  type IssuePlace,
  type IssueQuery,
  type RecordIssue,
} from './record-quality.ts';
import { RecordSearch } from './record-search.ts';
import { isOfType } from './sql.ts';
import { subjectKeys } from './key-numbers.ts';
import { perType } from './per-type.ts';
import { isRowOf } from './row-key.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type {
  Described,
  HistoryPage,
  HistoryQuery,
  HistoryVersion,
  NewVersion,
  RecordStore,
  SearchPage,
  SeverityCount,
  StoredBytes,
  StoredVersion,
  SubjectRow,
} from './store.ts';
import { versionWriter, type VersionWriter } from './version-writer.ts';
import { WriteQueue } from './write-queue.ts';

/** Opens `records.db` at `path`; rejects with DataFolderError where that cannot be done. */
export function openRecordStore(path: string): Promise<RecordStore> {
  return Promise.resolve().then(() => new SqliteStore(openDatabase(path, recordMigrations)));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
class SqliteStore implements RecordStore {
  private readonly database: SqliteDatabase;
  private readonly statements: ReturnType<typeof prepare>;
  private readonly writer: VersionWriter;
  private readonly check: TextCheck;
  private readonly searches: RecordSearch;
  private readonly histories: RecordHistory;
  private readonly quality: RecordQuality;
  private readonly writes: WriteQueue;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.statements = prepare(database);
    this.writer = versionWriter(database);
    this.check = textCheck(database.name);
    this.searches = new RecordSearch(database);
    this.histories = new RecordHistory(database);
    this.quality = new RecordQuality(database);
    this.writes = new WriteQueue(database, () => {
      this.searches.forget();
    });
  }

  async read(type: ResourceType, id: string): Promise<StoredVersion | undefined> {
    const found = this.current(type, id);
    return found && { ...found, text: found.bytes.toString() };
  }

  async readBytes(type: ResourceType, id: string): Promise<StoredBytes | undefined> {
    return this.current(type, id);
  }

  private current(type: ResourceType, id: string): StoredBytes | undefined {
    const row = this.statements.current[type].get(id);
    if (!row) return undefined;
    const [version, lastUpdated, bytes, sha256] = row;
    return { id, version, lastUpdated, bytes: this.check(bytes, sha256, { type, id, version }) };
  }

  async readVersion(type: ResourceType, id: string, version: number): Promise<HistoryVersion | undefined> {
    return this.histories.version(type, id, version);
  }

  async history(type: ResourceType, query: HistoryQuery, limit: number): Promise<HistoryPage> {
    return this.histories.page(type, query, limit);
  }

  async insert(version: NewVersion): Promise<'stored' | 'exists'> {
    return this.writes.add(() => this.writer.insert(version));
  }

  async insertUnless(version: NewVersion, criteria: SearchCriteria): Promise<SearchPage> {
    return this.writes.add(() => {
      const matches = this.searches.page(criteria, 2);
      if (matches.total === 0) this.writer.insert(version);
      return matches;
    });
  }

  async replace(version: NewVersion, expected: number, before: Described): Promise<'stored' | 'stale'> {
    return this.writes.add(() => this.writer.replace(version, expected, before));
  }

  async search(criteria: SearchCriteria, limit: number): Promise<SearchPage> {
    return this.searches.page(criteria, limit);
  }

  async total(criteria: SearchCriteria): Promise<number> {
    return this.searches.total(criteria);
  }

  async issuesOf(type: ResourceType, id: string): Promise<readonly IssueRow[]> {
    return this.statements.issues[type].all(id);
  }

  async severities(type: ResourceType, ids: readonly string[]): Promise<readonly SeverityCount[]> {
    return this.statements.severities[type].all(JSON.stringify(ids));
  }

  async issueCounts(query: IssueQuery): Promise<IssueCounts> {
    return this.quality.counts(query);
  }

  async issues(
    query: IssueQuery,
    after: IssuePlace | undefined,
    limit: number,
  ): Promise<readonly RecordIssue[]> {
    return this.quality.page(query, after, limit);
  }

  async count(): Promise<Record<ResourceType, number>> {
    return perType((type) => this.statements.count[type].get()?.total ?? 0);
  }

  async newestSubjects(limit: number): Promise<readonly SubjectRow[]> {
    return this.statements.subjects.all(limit);
  }

  async countOf(type: ResourceType, ids: readonly string[]): Promise<number> {
    return this.statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
  }

  async empty(backup: string): Promise<number> {
    this.writes.flush();
    const bytes = backUp(this.database, backup);
    emptyTables(this.database);
    this.searches.forget();
    return bytes;
  }

  async close(): Promise<void> {
    this.writes.flush();
    closeDatabase(this.database);
  }
}

type CurrentRow = readonly [version: number, lastUpdated: string, bytes: Buffer, sha256: Buffer];

/** The current version of a record. As a join, the same two lookups take three times as long. */
function current(type: ResourceType): string {
  return `SELECT version, last_updated, CAST(body AS BLOB), sha256
    FROM version WHERE pk = (SELECT r.current FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`;
}

function prepare(database: SqliteDatabase) {
  return {
    current: perType((type) => database.prepare<unknown[], CurrentRow>(current(type)).raw()),
    issues: perType((type) =>
      database.prepare<unknown[], IssueRow>(
        `SELECT rule, severity, category, pointer
       FROM issue WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) ORDER BY rowid`,
      ),
    ),
    severities: perType((type) =>
      database.prepare<unknown[], SeverityCount>(
        `SELECT r.id AS id, sum(i.severity = 'error') AS errors, sum(i.severity = 'warning') AS warnings
       FROM json_each(?) ids CROSS JOIN record r ON ${isOfType('r', type)} AND r.id = ids.value
       JOIN issue i ON i.record = r.pk GROUP BY r.pk`,
      ),
    ),
    count: perType((type) =>
      database.prepare<unknown[], { total: number }>(
        `SELECT count(*) AS total FROM record r WHERE ${isOfType('r', type)}`,
      ),
    ),
    countOf: perType((type) =>
      database.prepare<unknown[], { total: number }>(
        `SELECT count(*) AS total FROM json_each(?) one
       WHERE EXISTS (SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = one.value)`,
      ),
    ),
    subjects: database.prepare<unknown[], SubjectRow>(
      `WITH newest AS (SELECT pk, last_updated FROM record ORDER BY pk DESC LIMIT 2000),
       subjects AS (
         SELECT f.target AS id, max(n.last_updated) AS at FROM newest n JOIN reference f NOT INDEXED ON ${isRowOf('f', 'n')}
         WHERE f.key IN ${subjectKeys} AND f.target <> ''
         GROUP BY f.target ORDER BY at DESC, f.target LIMIT ?)
       SELECT s.id AS id, (SELECT count(*) FROM reference f
         WHERE f.key IN ${subjectKeys} AND f.target = s.id) AS records
       FROM subjects s ORDER BY s.at DESC, s.id`,
    ),
  };
}
