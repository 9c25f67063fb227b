import { createHash } from 'node:crypto';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search.ts';
import { recordMigrations } from './migrations.ts';
import { behindSql, matchSql, newestFirst } from './search-sql.ts';
import { openDatabase, type SqliteDatabase } from './sqlite.ts';
import type { NewVersion, RecordStore, SearchPage, StoredVersion, SubjectRow } from './store.ts';

const versionColumns = 'v.id AS id, v.version AS version, v.last_updated AS lastUpdated, v.body AS text';

/** Opens `records.db` at `path`; rejects with DataFolderError where that cannot be done. */
export function openRecordStore(path: string): Promise<RecordStore> {
  return Promise.resolve().then(() => new SqliteStore(openDatabase(path, recordMigrations)));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
class SqliteStore implements RecordStore {
  private readonly database: SqliteDatabase;
  private readonly statements: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.statements = prepare(database);
  }

  async read(type: ResourceType, id: string): Promise<StoredVersion | undefined> {
    return this.statements.read.get(type, id);
  }

  async insert(version: NewVersion): Promise<'stored' | 'exists'> {
    return this.immediate(() => {
      if (this.statements.read.get(version.type, version.id)) return 'exists';
      const current = this.addVersion(version);
      const { type, id, lastUpdated } = version;
      const record = this.statements.addRecord.run(
        type,
        id,
        version.version,
        lastUpdated,
        current,
      ).lastInsertRowid;
      this.index(record, version);
      return 'stored';
    });
  }

  async replace(version: NewVersion, expected: number): Promise<'stored' | 'stale'> {
    return this.immediate(() => {
      const { type, id, lastUpdated } = version;
      const row = this.statements.advance.get(version.version, lastUpdated, type, id, expected);
      if (!row) return 'stale';
      this.statements.point.run(this.addVersion(version), row.pk);
      this.statements.unindex.run(row.pk);
      this.index(row.pk, version);
      return 'stored';
    });
  }

  async search(criteria: SearchCriteria, limit: number): Promise<SearchPage> {
    const match = matchSql(criteria);
    const behind = behindSql(criteria);
    const count = this.database.prepare<unknown[], { total: number }>(
      `SELECT count(*) AS total FROM record r WHERE ${match.text}`,
    );
    const page = this.database.prepare<unknown[], StoredVersion>(
      `SELECT ${versionColumns} FROM record r JOIN version v ON v.pk = r.current
       WHERE ${match.text} AND ${behind.text} ORDER BY ${newestFirst} LIMIT ?`,
    );
    const total = count.get(...match.values)?.total ?? 0;
    const records = page.all(...match.values, ...behind.values, limit + 1);
    return { total, records: records.slice(0, limit), more: records.length > limit };
  }

  async count(): Promise<Record<ResourceType, number>> {
    const counts: Record<ResourceType, number> = { CarePlan: 0, Composition: 0 };
    for (const { type, total } of this.statements.counts.all()) counts[type] = total;
    return counts;
  }

  async newestSubjects(limit: number): Promise<readonly SubjectRow[]> {
    return this.statements.subjects.all(limit);
  }

  async close(): Promise<void> {
    this.database.close();
  }

  private immediate<Result>(work: () => Result): Result {
    return this.database.transaction(work).immediate();
  }

  private addVersion({
    type,
    id,
    version,
    lastUpdated,
    operation,
    author,
    text,
  }: NewVersion): number | bigint {
    const sha256 = createHash('sha256').update(text).digest();
    return this.statements.addVersion.run(type, id, version, lastUpdated, operation, author, sha256, text)
      .lastInsertRowid;
  }

  private index(record: number | bigint, { type, references }: NewVersion): void {
    for (const { element, target } of references) {
      this.statements.index.run(record, type, element, target.id, target.type ?? null, target.base ?? null);
    }
  }
}

function prepare(database: SqliteDatabase) {
  return {
    read: database.prepare<unknown[], StoredVersion>(
      `SELECT ${versionColumns} FROM record r JOIN version v ON v.pk = r.current WHERE r.type = ? AND r.id = ?`,
    ),
    addRecord: database.prepare(
      'INSERT INTO record (type, id, version, last_updated, current) VALUES (?, ?, ?, ?, ?)',
    ),
    addVersion: database.prepare(
      `INSERT INTO version (type, id, version, last_updated, operation, author, sha256, body)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    // The version test stands in the UPDATE's own WHERE: nothing can come between comparing and writing.
    advance: database.prepare<unknown[], { pk: number }>(
      'UPDATE record SET version = ?, last_updated = ? WHERE type = ? AND id = ? AND version = ? RETURNING pk',
    ),
    point: database.prepare('UPDATE record SET current = ? WHERE pk = ?'),
    index: database.prepare(
      'INSERT INTO reference (record, type, element, target, target_type, target_base) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    unindex: database.prepare('DELETE FROM reference WHERE record = ?'),
    counts: database.prepare<unknown[], { type: ResourceType; total: number }>(
      'SELECT type, count(*) AS total FROM record GROUP BY type',
    ),
    subjects: database.prepare<unknown[], SubjectRow>(
      `WITH newest AS (SELECT pk, last_updated FROM record ORDER BY pk DESC LIMIT 2000),
       subjects AS (
         SELECT f.target AS id, max(n.last_updated) AS at FROM newest n JOIN reference f ON f.record = n.pk
         WHERE f.element = 'subject' GROUP BY f.target ORDER BY at DESC, f.target LIMIT ?)
       SELECT s.id AS id, (SELECT count(*) FROM reference f WHERE f.type IN ('CarePlan', 'Composition')
         AND f.element = 'subject' AND f.target = s.id) AS records
       FROM subjects s ORDER BY s.at DESC, s.id`,
    ),
  };
}
