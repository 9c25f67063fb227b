import { dirname } from 'node:path';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { Questioner, type StoreReaders } from './asking.ts';
import { SqliteAudit } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { BulkWriting } from './bulk-writing.ts';
import { SqliteCompanions } from './sqlite-companions.ts';
import { DatabaseKeeper } from './database-keeper.ts';
import { recordMigrations } from './migrations.ts';
import { ownLeases } from '../leases.ts';
import { withOwnErrors } from './own-errors.ts';
import { SqliteChecks } from './sqlite-checks.ts';
import { SqliteRelations } from './sqlite-relations.ts';
import { SqliteFindings } from './sqlite-findings.ts';
import { SqliteDamage } from './sqlite-damage.ts';
import { DiskRoom } from './disk-room.ts';
import { SqliteDerived } from './sqlite-derived.ts';
import { partsOf, type Parts } from './sqlite-parts.ts';
import type { FacetValues } from '../facet-values.ts';
import type { IssueCounts, IssueQuery, RecordIssue } from '../issue-query.ts';
import type { VersionHeads } from './version-heads.ts';
import { emptyLog, eraseNow } from './erase.ts';
import { SqliteFiles } from './sqlite-files.ts';
import type {
  FileBackups,
  FileStore,
  HistoryPage,
  HistoryQuery,
  HistoryVersion,
  NewVersion,
  OrDamaged,
  RecordStore,
  Revision,
  SearchPage,
  SeverityCount,
  StoredBytes,
  StoredVersion,
  SubjectRow,
} from '../store.ts';

/**
 * Opens `records.db` at `path`; rejects with DataFolderError where that cannot be done. Its rows are to be those of the
 * derivations; of which some are not, the store's `derived` knows. Its trail is sealed with the key, where there is one.
 */
export function openRecordStore(
  path: string,
  of: readonly Derivation[] = derivations,
  key?: SealKey,
  readers?: StoreReaders,
): Promise<FileStore> {
  return Promise.resolve().then(() => withOwnErrors(new SqliteStore(path, of, key, readers)));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
class SqliteStore implements FileStore {
  private readonly bulk = new BulkWriting();
  readonly audit: SqliteAudit;
  readonly derived: SqliteDerived;
  readonly damage = withOwnErrors(new SqliteDamage(() => this.parts));
  readonly findings = withOwnErrors(new SqliteFindings(() => [this.parts, this.questions]));
  readonly checks = withOwnErrors(new SqliteChecks(() => [this.parts, this.questions]));
  readonly relations = withOwnErrors(new SqliteRelations(() => [this.parts, this.questions]));
  readonly companions = withOwnErrors(new SqliteCompanions(() => this.parts));
  readonly leases = ownLeases;
  readonly files: FileBackups;
  readonly room: DiskRoom;
  private readonly keeper: DatabaseKeeper<Parts>;
  private readonly questions: Questioner;

  constructor(path: string, of: readonly Derivation[], key?: SealKey, readers?: StoreReaders) {
    this.questions = new Questioner(path, () => this.keeper, readers);
    this.room = new DiskRoom(dirname(path));
    this.audit = withOwnErrors(
      new SqliteAudit(
        () => this.parts,
        key,
        () => this.questions.carry(),
      ),
    );
    this.derived = withOwnErrors(new SqliteDerived(() => this.parts, of));
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
    this.files = withOwnErrors(
      new SqliteFiles({
        ...{ keeper: this.keeper, questions: this.questions, audit: this.audit, key },
        opened: () => {
          this.companions.changed();
          this.derived.opened();
        },
      }),
    );
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
    return this.text(type, id);
  }

  async readBytes(type: ResourceType, id: string): Promise<OrDamaged<StoredBytes> | undefined> {
    return this.current(type, id);
  }

  private text(type: ResourceType, id: string): OrDamaged<StoredVersion> | undefined {
    const found = this.current(type, id);
    return !found || 'fault' in found ? found : { ...found, text: found.bytes.toString() };
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

  async revision(type: ResourceType, id: string): Promise<Revision | undefined> {
    const { statements, taken } = this.parts;
    const standing = this.text(type, id);
    if (!standing) return undefined;
    return { standing, issues: statements.issues[type].all(id), next: Math.max(standing.version, taken) + 1 };
  }

  async firstNumber(): Promise<number> {
    return this.parts.taken + 1;
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

  async erase(...[records, listed]: Parameters<RecordStore['erase']>): Promise<readonly string[]> {
    void this.audit.flush();
    const names = eraseNow(this.parts, records, listed);
    if (names.length > 0) this.companions.changed();
    return names;
  }

  async emptyLog(): Promise<void> {
    await this.questions.without(() => emptyLog(this.parts.database));
  }

  async close(): Promise<void> {
    void this.audit.flush();
    this.parts.settle();
    await this.questions.close();
    this.keeper.close();
  }
}
