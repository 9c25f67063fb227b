import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AuditAction } from '../../core/app/audit.ts';
import { derivations, type Derivation } from '../../core/derive/derivations.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { SqliteAudit } from './audit.ts';
import type { SealKey } from './audit-chain.ts';
import type { NewAuditEntry } from './audit-trail.ts';
import { backUp, backUpBeside, emptyTables } from './backup.ts';
import { BulkWriting } from './bulk-writing.ts';
import { DatabaseKeeper } from './database-keeper.ts';
import { recordMigrations } from './migrations.ts';
import { SqliteDamage } from './damage.ts';
import { DiskRoom } from './disk-room.ts';
import { SqliteDerived } from './sqlite-derived.ts';
import { partsOf, type Parts } from './sqlite-parts.ts';
import type { StatusTotals } from './status-counts.ts';
import type { IssueCounts, IssuePlace, IssueQuery, RecordIssue } from './record-quality.ts';
import { newestVersion, newestVersionIn } from './newest-version.ts';
import { highestNumber, numberOn } from './numbering.ts';
import { emptyLog, eraseNow, eraseRecordsIn } from './erase.ts';
import { compareReplaced, draftOfBackup, swapBack, swapIn } from './restore.ts';
import type {
  Doer,
  Erasing,
  HistoryPage,
  HistoryQuery,
  HistoryVersion,
  NewVersion,
  OrDamaged,
  RecordStore,
  SearchPage,
  SeverityCount,
  StoredBytes,
  StoredVersion,
  SubjectRow,
  VersionHead,
} from './store.ts';

/**
 * Opens `records.db` at `path`; rejects with DataFolderError where that cannot be done. Its rows are to be those of the
 * derivations; of which some are not, the store's `derived` knows. Its trail is sealed with the key, where there is one.
 */
export function openRecordStore(
  path: string,
  of: readonly Derivation[] = derivations,
  key?: SealKey,
): Promise<RecordStore> {
  return Promise.resolve().then(() => new SqliteStore(path, of, key));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
class SqliteStore implements RecordStore {
  private readonly bulk = new BulkWriting();
  readonly audit: SqliteAudit;
  readonly derived: SqliteDerived;
  readonly damage = new SqliteDamage(() => this.parts);
  readonly room: DiskRoom;
  private readonly keeper: DatabaseKeeper<Parts>;
  private readonly key: SealKey | undefined;

  constructor(path: string, of: readonly Derivation[], key?: SealKey) {
    this.key = key;
    this.room = new DiskRoom(dirname(path));
    this.audit = new SqliteAudit(() => this.parts, key);
    this.derived = new SqliteDerived(() => this.parts, of);
    this.keeper = new DatabaseKeeper({
      path,
      migrations: recordMigrations,
      partsOf: (database, failed) => {
        this.bulk.use(database);
        this.room.probe(database);
        const listeners = { failed, before: () => this.bulk.makeRoom(), noticed: this.damage.notice };
        return partsOf(database, of, key, { ...listeners, room: this.room });
      },
    });
    this.audit.begin();
  }

  private get parts(): Parts {
    return this.keeper.parts;
  }

  async read(type: ResourceType, id: string): Promise<OrDamaged<StoredVersion> | undefined> {
    const found = this.current(type, id);
    return !found || 'fault' in found ? found : { ...found, text: found.bytes.toString() };
  }

  async readBytes(type: ResourceType, id: string): Promise<OrDamaged<StoredBytes> | undefined> {
    return this.current(type, id);
  }

  /** What is found once the index rows of all records are made. */
  private indexed<Found>(read: (parts: Parts) => Found): Found {
    const { parts } = this;
    return parts.backlog.seenBy(
      () => read(parts),
      (work) => parts.writes.now(work),
    );
  }

  private current(type: ResourceType, id: string): OrDamaged<StoredBytes> | undefined {
    const row = this.parts.statements.current[type].get(id);
    if (!row) return undefined;
    const [version, lastUpdated, text, sha256] = row;
    const bytes = this.parts.check(text, sha256, { type, id, version });
    return Buffer.isBuffer(bytes)
      ? { id, version, lastUpdated, bytes }
      : { id, version, lastUpdated, fault: bytes };
  }

  async readVersion(
    type: ResourceType,
    id: string,
    version: number,
  ): Promise<OrDamaged<HistoryVersion> | undefined> {
    return this.parts.histories.version(type, id, version);
  }

  async history(type: ResourceType, query: HistoryQuery, limit: number): Promise<HistoryPage> {
    return this.parts.histories.page(type, query, limit);
  }

  async insert(version: NewVersion): Promise<'stored' | 'exists'> {
    return this.parts.writes.add(() => this.parts.writer.insert(version));
  }

  async insertUnless(version: NewVersion, criteria: SearchCriteria): Promise<SearchPage> {
    this.parts.rebuild.check(criteria);
    return this.parts.writes.add(() => {
      this.parts.backlog.settle();
      const matches = this.parts.searches.page(criteria, 2);
      if (matches.total === 0) this.parts.writer.insert(version);
      return matches;
    });
  }

  async replace(version: NewVersion, expected: number): Promise<'stored' | 'stale'> {
    return this.parts.writes.add(() => this.parts.writer.replace(version, expected));
  }

  async nextNumber(current: number): Promise<number> {
    return Math.max(current, this.parts.taken) + 1;
  }

  beginBulk(): () => void {
    return this.bulk.begin();
  }

  async search(criteria: SearchCriteria, limit: number): Promise<SearchPage> {
    this.parts.rebuild.check(criteria);
    return this.indexed(({ searches }) => searches.page(criteria, limit));
  }

  async total(criteria: SearchCriteria): Promise<number> {
    this.parts.rebuild.check(criteria);
    return this.indexed(({ searches }) => searches.total(criteria));
  }

  async issuesOf(type: ResourceType, id: string): Promise<readonly IssueRow[]> {
    return this.parts.statements.issues[type].all(id);
  }

  async severities(type: ResourceType, ids: readonly string[]): Promise<readonly SeverityCount[]> {
    return this.parts.statements.severities[type].all(JSON.stringify(ids));
  }

  async issueCounts(query: IssueQuery): Promise<IssueCounts> {
    return this.indexed(({ quality }) => quality.counts(query));
  }

  async issues(
    query: IssueQuery,
    after: IssuePlace | undefined,
    limit: number,
  ): Promise<readonly RecordIssue[]> {
    return this.indexed(({ quality }) => quality.page(query, after, limit));
  }

  async count(): Promise<Record<ResourceType, number>> {
    return this.parts.counts.count();
  }

  async statuses(): Promise<StatusTotals> {
    while (!this.parts.statuses.step()) await setImmediate();
    return this.parts.statuses.count();
  }

  async newestVersions(since: string, limit: number): Promise<readonly VersionHead[]> {
    return this.parts.newest(since, limit);
  }

  async newestSubjects(limit: number): Promise<readonly SubjectRow[]> {
    return this.indexed(({ statements }) => statements.subjects.all(limit));
  }

  async countOf(type: ResourceType, ids: readonly string[]): Promise<number> {
    return this.parts.statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
  }

  async empty(backup: string, doer: Doer): Promise<number> {
    const { writes, database, trail } = this.parts;
    void this.audit.flush();
    return writes.direct(() => {
      const bytes = backUp(database, backup);
      emptyTables(database, () => {
        trail.add([entryOf('backup', backup, doer), entryOf('reset', backup, doer)]);
      });
      // Whoever begins anew gets the same numbers each time.
      this.parts.taken = 0;
      this.parts.rebuild.settle();
      return bytes;
    });
  }

  async erase(records: readonly Erasing[], listed?: () => void): Promise<readonly string[]> {
    void this.audit.flush();
    return eraseNow(this.parts, records, listed);
  }

  async emptyLog(): Promise<void> {
    emptyLog(this.parts.database);
  }

  async changedSince(backup: string | undefined): Promise<boolean> {
    const newest = newestVersion(this.parts.database);
    return newest !== (backup === undefined ? undefined : newestVersionIn(backup));
  }

  async backUp(path: string, doer = nobody): Promise<number> {
    this.parts.settle();
    const bytes = await backUpBeside(this.parts.database, path);
    this.audit.note(entryOf('backup', path, doer));
    return bytes;
  }

  async restore(
    backup: string,
    before: string,
    doer = nobody,
    erased: readonly Erasing[] = [],
  ): Promise<readonly string[]> {
    const { path } = this.keeper;
    const draft = await draftOfBackup(path, backup, recordMigrations);
    // What was noted until now belongs to the file that goes.
    void this.audit.flush();
    this.parts.writes.flush();
    const highest = highestNumber(this.parts.database);
    let leftOut: readonly string[] = [];
    this.keeper.swapFile(
      () => {
        numberOn(draft, recordMigrations, highest);
        leftOut = eraseRecordsIn(draft, erased, this.key);
        swapIn(path, draft, before);
      },
      () => swapBack(path, before),
    );
    this.audit.begin();
    this.audit.note(entryOf('restore', backup, doer));
    await this.audit.flush();
    this.derived.opened();
    await compareReplaced(before);
    return leftOut;
  }

  async close(): Promise<void> {
    void this.audit.flush();
    this.parts.settle();
    this.keeper.close();
  }
}

const nobody: Doer = { who: '', requestId: '' };

function entryOf(action: AuditAction, file: string, { who, requestId }: Doer): NewAuditEntry {
  const status = requestId === '' ? 0 : 200;
  return { time: Date.now(), who, action, what: basename(file), status, requestId };
}
