import { dirname } from 'node:path';
import { derivations, type Derivation } from '../../core/derive/derivations.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { Questioner, type StoreReaders } from './asking.ts';
import { SqliteAudit } from './audit.ts';
import type { SealKey } from './audit-chain.ts';
import { backUp, backUpBeside, emptyTables } from './backup.ts';
import { BulkWriting } from './bulk-writing.ts';
import { SqliteCompanions } from './companions.ts';
import { DatabaseKeeper } from './database-keeper.ts';
import { recordMigrations } from './migrations.ts';
import { SqliteChecks } from './sqlite-checks.ts';
import { SqliteRelations } from './sqlite-relations.ts';
import { SqliteFindings } from './sqlite-findings.ts';
import { SqliteDamage } from './damage.ts';
import { DiskRoom } from './disk-room.ts';
import { SqliteDerived } from './sqlite-derived.ts';
import { partsOf, type Parts } from './sqlite-parts.ts';
import type { FacetValues } from './record-facets.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from './issue-query.ts';
import type { VersionHeads } from './version-heads.ts';
import { newestVersion, newestVersionIn } from './newest-version.ts';
import { highestNumber, numberOn } from './numbering.ts';
import { emptyLog, eraseNow, eraseRecordsIn } from './erase.ts';
import { entryOf, nobody } from './file-entry.ts';
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
} from './store.ts';

/**
 * Opens `records.db` at `path`; rejects with DataFolderError where that cannot be done. Its rows are to be those of the
 * derivations; of which some are not, the store's `derived` knows. Its trail is sealed with the key, where there is one.
 */
export function openRecordStore(
  path: string,
  of: readonly Derivation[] = derivations,
  key?: SealKey,
  readers?: StoreReaders,
): Promise<RecordStore> {
  return Promise.resolve().then(() => new SqliteStore(path, of, key, readers));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
class SqliteStore implements RecordStore {
  private readonly bulk = new BulkWriting();
  readonly audit: SqliteAudit;
  readonly derived: SqliteDerived;
  readonly damage = new SqliteDamage(() => this.parts);
  readonly findings = new SqliteFindings(() => [this.parts, this.questions]);
  readonly checks = new SqliteChecks(() => [this.parts, this.questions]);
  readonly relations = new SqliteRelations(() => [this.parts, this.questions]);
  readonly companions = new SqliteCompanions(() => this.parts);
  readonly room: DiskRoom;
  private readonly keeper: DatabaseKeeper<Parts>;
  private readonly key: SealKey | undefined;
  private readonly questions: Questioner;

  constructor(path: string, of: readonly Derivation[], key?: SealKey, readers?: StoreReaders) {
    this.key = key;
    this.questions = new Questioner(path, () => this.keeper, readers);
    this.room = new DiskRoom(dirname(path));
    this.audit = new SqliteAudit(
      () => this.parts,
      key,
      () => this.questions.carry(),
    );
    this.derived = new SqliteDerived(() => this.parts, of);
    this.keeper = new DatabaseKeeper({
      path,
      migrations: recordMigrations,
      partsOf: (database, failed) => {
        this.bulk.use(database);
        this.room.probe(database);
        const listeners = { failed, before: () => this.bulk.makeRoom(), noticed: this.damage.notice };
        return partsOf(database, of, key, {
          ...listeners,
          took: this.took,
          changed: (issues) => this.questions.changed(issues),
        });
      },
    });
    this.audit.begin();
  }

  /** Where a full disk refused the readers their file, they come once there is room. */
  private readonly took = (full: boolean) => {
    this.room.note(full);
    if (!this.room.full && this.keeper.alone) setImmediate(() => this.keeper.share());
  };

  get alone(): boolean {
    return this.keeper.alone;
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
    const { histories } = this.parts;
    return histories.page(type, query, limit, () =>
      query.id === undefined
        ? this.questions.ask('versions', { type, query }, { type })
        : histories.total(type, query),
    );
  }

  async insert(version: NewVersion): Promise<'stored' | 'exists'> {
    return this.parts.writes.add(() => this.parts.writer.insert(version));
  }

  async insertUnless(version: NewVersion, criteria: SearchCriteria): Promise<SearchPage> {
    this.parts.rebuild.check(criteria);
    return this.parts.writes.add(() => {
      this.parts.backlog.settle();
      const matches = this.parts.searches.first(criteria, 2);
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

  async search(...asked: Parameters<RecordStore['search']>): Promise<SearchPage> {
    const [criteria] = asked;
    this.parts.rebuild.check(criteria);
    return this.questions.page(...asked);
  }

  async total(criteria: SearchCriteria, signal?: AbortSignal): Promise<number> {
    this.parts.rebuild.check(criteria);
    const narrow = this.questions.here(({ searches }) => searches.narrowTotal(criteria));
    return narrow ?? this.questions.ask('total', criteria, { type: criteria.type, signal });
  }

  async facet(...given: Parameters<RecordStore['facet']>): Promise<FacetValues> {
    const [criteria, { name }, limit, signal] = given;
    this.parts.rebuild.check(criteria);
    const asked = { criteria, name, limit };
    const found = await this.questions.ask('facet', asked, { type: criteria.type, signal });
    return found ?? { values: [], total: 0 };
  }

  async issuesOf(type: ResourceType, id: string): Promise<readonly IssueRow[]> {
    return this.parts.statements.issues[type].all(id);
  }

  async severities(type: ResourceType, ids: readonly string[]): Promise<readonly SeverityCount[]> {
    return this.parts.statements.severities[type].all(JSON.stringify(ids));
  }

  async issueCounts(query: IssueQuery): Promise<IssueCounts> {
    return this.questions.ask('issueCounts', query);
  }

  async issues(...asked: Parameters<RecordStore['issues']>): Promise<readonly RecordIssue[]> {
    const [query, after, limit] = asked;
    const rows = await this.questions.ask('issues', { query, after, limit });
    return this.parts.quality.issuesAt(rows);
  }

  async count(): Promise<Record<ResourceType, number>> {
    return this.parts.counts.count();
  }

  get heads(): VersionHeads {
    return this.parts.heads;
  }

  async newestSubjects(limit: number): Promise<readonly SubjectRow[]> {
    return this.questions.ask('subjects', limit);
  }

  async countOf(type: ResourceType, ids: readonly string[]): Promise<number> {
    return this.parts.statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
  }

  async empty(backup: string, doer: Doer): Promise<number> {
    const { writes, database, trail } = this.parts;
    void this.audit.flush();
    return writes.direct(() => {
      const bytes = backUp(database, backup);
      const entries = [entryOf('backup', backup, doer), entryOf('reset', backup, doer)];
      emptyTables(database, () => trail.add(entries));
      // Whoever begins anew gets the same numbers each time.
      this.parts.taken = 0;
      this.parts.rebuild.settle();
      return bytes;
    });
  }

  async erase(...[records, listed]: Parameters<RecordStore['erase']>): Promise<readonly string[]> {
    void this.audit.flush();
    return eraseNow(this.parts, records, listed);
  }

  async emptyLog(): Promise<void> {
    await this.questions.without(() => emptyLog(this.parts.database));
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
    let leftOut: readonly string[] = [];
    await this.questions.without(() => {
      // What was noted until now belongs to the file that goes.
      void this.audit.flush();
      this.parts.writes.flush();
      const highest = highestNumber(this.parts.database);
      this.keeper.swapFile(
        () => {
          numberOn(draft, recordMigrations, highest);
          leftOut = eraseRecordsIn(draft, erased, this.key);
          swapIn(path, draft, before);
        },
        () => swapBack(path, before),
      );
    });
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
    await this.questions.close();
    this.keeper.close();
  }
}
