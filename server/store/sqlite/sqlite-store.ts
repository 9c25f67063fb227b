import { dirname } from 'node:path';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { ReaderClient, type StoreReaders, type StoreState } from './reader-client.ts';
import { sqliteAudit } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { BulkWriting } from './write-queue.ts';
import { createSqliteSupportingResources } from './sqlite-companions.ts';
import { createSqliteDocuments } from './sqlite-documents.ts';
import { ConnectionManager } from './connection-manager.ts';
import { recordMigrations } from './migrations.ts';
import { createLocalLeases } from '../leases.ts';
import { mapDriverErrors } from '../../sqlite/driver-errors.ts';
import { sqliteChecks } from './sqlite-checks.ts';
import { sqliteFindings } from './sqlite-findings.ts';
import { sqliteDamage } from './sqlite-damage.ts';
import { sqliteDerived } from './sqlite-derived.ts';
import { createConnectionParts } from './sqlite-parts.ts';
import { truncateWal, eraseNow } from './erase.ts';
import { createSqliteBatches } from './sqlite-batches.ts';
import { removeNow } from './removals.ts';
import { sqliteFiles } from './sqlite-files.ts';
import type { FileStore, OrDamaged, StoredBytes, StoredVersion } from '../store.ts';
import { statfsSync } from 'node:fs';
import { takesWrite } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import { relationNames } from '../../../core/fhir/relations.ts';
import type { RelationStore } from '../relation-sql.ts';

/**
 * Opens `records.db` at `path`. Rejects with DataFolderError on failure.
 *
 * @param derivationList - Computes the derived rows. `derived` of the store reports rows that are outdated.
 * @param key - Seals the audit log.
 */
export function openRecordStore(
  path: string,
  derivationList: readonly Derivation[] = derivations,
  key?: SealKey,
  readers?: StoreReaders,
): Promise<FileStore> {
  return Promise.resolve().then(() => mapDriverErrors(sqliteStore(path, derivationList, key, readers)));
}

/**
 * Creates the store. The driver is synchronous; results are promises so that a network store has the same interface.
 */
function sqliteStore(
  path: string,
  derivationList: readonly Derivation[],
  key?: SealKey,
  readers?: StoreReaders,
): FileStore {
  const bulk = new BulkWriting();
  const readerClient = new ReaderClient(path, () => manager, readers);
  const diskSpace = new DiskSpace(dirname(path));
  const connection = () => manager.parts;
  let commitListener: () => void = () => undefined;
  const state: StoreState = {
    readerClient,
    get parts() {
      return connection();
    },
  };
  const damage = mapDriverErrors(sqliteDamage(connection));
  const supportingResources = mapDriverErrors(createSqliteSupportingResources(connection));
  const audit = mapDriverErrors(sqliteAudit(connection, key, () => readerClient.checkpointReads()));
  const derivedStore = mapDriverErrors(sqliteDerived(state, derivationList));
  const manager = new ConnectionManager({
    path,
    migrations: recordMigrations,
    createParts: (database, onDiskError) => {
      bulk.attach(database);
      diskSpace.probeWith(database);
      return createConnectionParts(database, derivationList, key, {
        onDiskError,
        beforeCommit: () => bulk.checkpointIfFull(),
        onDamage: damage.notice,
        // Reader threads can't be opened on a full disk. Opens them after the first write that succeeds.
        onWrite: (isFull) => {
          diskSpace.setFull(isFull);
          if (!isFull) commitListener();
          if (!diskSpace.isFull && manager.isExclusive) setImmediate(() => manager.openReaders());
        },
        onRowsChanged: (issues) => readerClient.onRowsChanged(issues),
      });
    },
  });
  const files = sqliteFiles({
    manager,
    readerClient,
    audit,
    key,
    onOpened: () => {
      supportingResources.markChanged();
      derivedStore.notifyOpened();
    },
  });
  audit.begin();

  function readCurrentBytes(type: ResourceType, id: string): OrDamaged<StoredBytes> | undefined {
    const row = connection().statements.current[type].get(id);
    if (!row) return undefined;
    const [version, lastUpdated, text, sha256] = row;
    const bytesOrFault = connection().verifyText(text, sha256, { type, id, version });
    const content = Buffer.isBuffer(bytesOrFault) ? { bytes: bytesOrFault } : { fault: bytesOrFault };
    return { id, version, lastUpdated, ...content };
  }

  function readCurrentVersion(type: ResourceType, id: string): OrDamaged<StoredVersion> | undefined {
    const version = readCurrentBytes(type, id);
    return !version || 'fault' in version ? version : { ...version, text: version.bytes.toString() };
  }

  return {
    audit,
    derived: derivedStore,
    damage,
    supportingResources,
    documents: mapDriverErrors(createSqliteDocuments(connection)),
    diskSpace,
    batches: mapDriverErrors(createSqliteBatches(state)),
    leases: createLocalLeases,
    findings: mapDriverErrors(sqliteFindings(state)),
    checks: mapDriverErrors(sqliteChecks(state)),
    relations: mapDriverErrors(sqliteRelations(state)),
    files: mapDriverErrors(files),
    versionSummaries: {
      newest: (...parameters) => connection().versionSummaries.newest(...parameters),
      countChanged: (since) => readerClient.query('changed', since),
      writers: (since, limit) => readerClient.query('writers', { since, limit }),
      listAuthorship: (...parameters) => connection().versionSummaries.listAuthorship(...parameters),
    },
    onCommitted(listener) {
      commitListener = listener;
    },
    get isSingleThreaded() {
      return manager.isExclusive;
    },

    async read(type, id) {
      return readCurrentVersion(type, id);
    },

    async readBytes(type, id) {
      return readCurrentBytes(type, id);
    },

    async readVersion(type, id, version) {
      return connection().histories.version(type, id, version);
    },

    async history(type, query, limit) {
      const { histories } = connection();
      return histories.page(type, query, limit, () =>
        query.id === undefined
          ? readerClient.query('versions', { type, query }, { type })
          : histories.total(type, query),
      );
    },

    async insert(version) {
      const { writes, counts, notifyRowsChanged } = connection();
      const result = await writes.add(() => connection().writer.insert(version));
      if (result === 'returned') {
        // The record has its former key, so that no count of new records includes it.
        counts.forget();
        notifyRowsChanged(false);
      }
      return result === 'returned' ? 'stored' : result;
    },

    async insertUnlessMatched(version, criteria) {
      connection().rebuild.assertSearchable(criteria);
      return connection().writes.add(() => {
        connection().backlog.writeAll();
        const matches = connection().searches.findFirst(criteria, 2);
        if (matches.total === 0) connection().writer.insert(version);
        return matches;
      });
    },

    async replace(version, expected) {
      return connection().writes.add(() => connection().writer.replace(version, expected));
    },

    async readForUpdate(type, id) {
      const { statements, highestUsedVersion } = connection();
      const currentVersion = readCurrentVersion(type, id);
      if (!currentVersion) return undefined;
      return {
        currentVersion,
        issues: statements.issues[type].all(id),
        nextVersion: Math.max(currentVersion.version, highestUsedVersion) + 1,
      };
    },

    async readFirstVersion() {
      return connection().highestUsedVersion + 1;
    },

    async readRemoved(type, id) {
      return connection().removed?.read(type, id);
    },

    async remove(removals) {
      return removeNow(connection(), removals);
    },

    startBulk: () => bulk.startWriter(),

    async search(criteria, ...options) {
      connection().rebuild.assertSearchable(criteria);
      return readerClient.page(criteria, ...options);
    },

    async total(criteria, signal) {
      connection().rebuild.assertSearchable(criteria);
      const smallTotal = readerClient.runOnMainThread(({ searches }) => searches.narrowTotal(criteria));
      return smallTotal ?? readerClient.query('total', criteria, { type: criteria.type, signal });
    },

    async facet(criteria, { name }, limit, signal) {
      connection().rebuild.assertSearchable(criteria);
      const query = { criteria, name, limit };
      const values = await readerClient.query('facet', query, { type: criteria.type, signal });
      return values ?? { values: [], total: 0 };
    },

    async severities(type, ids) {
      return connection().statements.severities[type].all(JSON.stringify(ids));
    },

    async issueCounts(query) {
      return readerClient.query('issueCounts', query);
    },

    async issues(query, after, limit) {
      const rows = await readerClient.query('issues', { query, after, limit });
      return connection().quality.readIssues(rows);
    },

    async count() {
      return connection().counts.count();
    },

    async listLatestSubjects(limit) {
      return readerClient.query('subjects', limit);
    },

    async countExisting(type, ids) {
      return connection().statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
    },

    async erase(records, onErased) {
      void audit.flush();
      const erasedNames = eraseNow(connection(), records, onErased);
      if (erasedNames.length > 0) supportingResources.markChanged();
      return erasedNames;
    },

    async truncateWal() {
      await readerClient.runWithoutReaders(() => truncateWal(connection().database));
    },

    async close() {
      void audit.flush();
      connection().writeBacklog();
      await readerClient.close();
      manager.close();
    },
  };
}

/** Free bytes before the disk counts as usable again. Small writes fit into the existing WAL. */
const minFreeBytes = 1024 ** 2;

/**
 * Free bytes below which the first probe reports a full disk. An open may find space for one page but not for a record.
 */
const minFreeBytesAtStart = 64 * 1024;

/** Tracks if the disk accepts writes, by the last writes. */
export class DiskSpace {
  isFull = false;
  private readonly folder: string;
  private listener: (full: boolean) => void = () => undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Records the outcome of a commit, or of a write that found no space. */
  setFull(full: boolean): void {
    if (full === this.isFull || (!full && this.freeBytes() < minFreeBytes)) return;
    this.isFull = full;
    this.listener(full);
  }

  /** Probes if an open database accepts a write. */
  probeWith(database: SqliteDatabase): void {
    if (!database.readonly) this.setFull(!takesWrite(database) || this.freeBytes() < minFreeBytesAtStart);
  }

  /** Calls the listener at each change, and at once if the disk is full. */
  onChange(listener: (full: boolean) => void): void {
    this.listener = listener;
    if (this.isFull) listener(true);
  }

  /** Returns the free bytes. */
  private freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }
}

/** Writes findings between records at the elements that refer to each other. */
export function sqliteRelations(state: StoreState): RelationStore {
  return {
    find: () => state.readerClient.query('relations', null),

    async listFlagged() {
      return state.parts.relationRows.standing.all(JSON.stringify(relationNames));
    },

    async write(records, relationsByRecord, day) {
      const { writes, relationRows } = state.parts;
      return writes.add(() => {
        let changed = false;
        for (const record of records)
          if (relationRows.write(record, relationsByRecord.get(record) ?? [], day)) changed = true;
        return changed;
      });
    },

    partners: (questions, limit) => state.readerClient.query('partners', { questions, limit }),

    async completeScan(hasChanged) {
      // Cached counts are outdated.
      if (hasChanged) state.parts.notifyRowsChanged(true);
    },
  };
}
