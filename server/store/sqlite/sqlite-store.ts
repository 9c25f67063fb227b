import { dirname } from 'node:path';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { ReaderClient, type StoreReaders, type StoreState } from './reader-client.ts';
import { sqliteAudit } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { BulkWriting } from './bulk-writing.ts';
import { sqliteCompanions } from './sqlite-companions.ts';
import { ConnectionManager } from './connection-manager.ts';
import { recordMigrations } from './migrations.ts';
import { createLocalLeases } from '../leases.ts';
import { mapDriverErrors } from './driver-errors.ts';
import { sqliteChecks } from './sqlite-checks.ts';
import { sqliteRelations } from './sqlite-relations.ts';
import { sqliteFindings } from './sqlite-findings.ts';
import { sqliteDamage } from './sqlite-damage.ts';
import { DiskSpace } from './disk-space.ts';
import { sqliteDerived } from './sqlite-derived.ts';
import { partsOf } from './sqlite-parts.ts';
import { emptyLog, eraseNow } from './erase.ts';
import { sqliteFiles } from './sqlite-files.ts';
import type { FileStore, OrDamaged, StoredBytes, StoredVersion } from '../store.ts';

/**
 * Opens `records.db` at `path`. Rejects with DataFolderError on failure. The derived rows follow `derivations`; the
 * `derived` part reports rows that do not yet. The audit log is sealed with the key, if there is one.
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
  const parts = () => manager.parts;
  const state: StoreState = {
    questions: readerClient,
    get parts() {
      return parts();
    },
  };
  const damage = mapDriverErrors(sqliteDamage(parts));
  const companions = mapDriverErrors(sqliteCompanions(parts));
  const audit = mapDriverErrors(sqliteAudit(parts, key, () => readerClient.carry()));
  const derivedStore = mapDriverErrors(sqliteDerived(state, derivationList));
  const manager = new ConnectionManager({
    path,
    migrations: recordMigrations,
    partsOf: (database, onDiskError) => {
      bulk.use(database);
      diskSpace.probe(database);
      return partsOf(database, derivationList, key, {
        onDiskError,
        beforeCommit: () => bulk.makeRoom(),
        onDamage: damage.notice,
        /** If a full disk prevented readers, opens them once there is space. */
        onWrite: (full) => {
          diskSpace.note(full);
          if (!diskSpace.full && manager.isExclusive) setImmediate(() => manager.share());
        },
        onRowsChanged: (issues) => readerClient.onRowsChanged(issues),
      });
    },
  });
  const files = sqliteFiles({
    keeper: manager,
    questions: readerClient,
    audit,
    key,
    onOpened: () => {
      companions.onChanged();
      derivedStore.notifyOpened();
    },
  });
  audit.begin();

  function current(type: ResourceType, id: string): OrDamaged<StoredBytes> | undefined {
    const row = parts().statements.current[type].get(id);
    if (!row) return undefined;
    const [version, lastUpdated, text, sha256] = row;
    const bytes = parts().check(text, sha256, { type, id, version });
    return { id, version, lastUpdated, ...(Buffer.isBuffer(bytes) ? { bytes } : { fault: bytes }) };
  }

  function textOf(type: ResourceType, id: string): OrDamaged<StoredVersion> | undefined {
    const version = current(type, id);
    return !version || 'fault' in version ? version : { ...version, text: version.bytes.toString() };
  }

  return {
    audit,
    derived: derivedStore,
    damage,
    companions,
    room: diskSpace,
    leases: createLocalLeases,
    findings: mapDriverErrors(sqliteFindings(state)),
    checks: mapDriverErrors(sqliteChecks(state)),
    relations: mapDriverErrors(sqliteRelations(state)),
    files: mapDriverErrors(files),
    heads: {
      newest: (...parameters) => parts().heads.newest(...parameters),
      countChanged: (since) => readerClient.ask('changed', since),
      writers: (since, limit) => readerClient.ask('writers', { since, limit }),
      listAuthorship: (...parameters) => parts().heads.listAuthorship(...parameters),
    },
    get isSingleThreaded() {
      return manager.isExclusive;
    },

    async read(type, id) {
      return textOf(type, id);
    },

    async readBytes(type, id) {
      return current(type, id);
    },

    async readVersion(type, id, version) {
      return parts().histories.version(type, id, version);
    },

    async history(type, query, limit) {
      const { histories } = parts();
      return histories.page(type, query, limit, () =>
        query.id === undefined
          ? readerClient.ask('versions', { type, query }, { type })
          : histories.total(type, query),
      );
    },

    async insert(version) {
      return parts().writes.add(() => parts().writer.insert(version));
    },

    async insertUnless(version, criteria) {
      parts().rebuild.check(criteria);
      return parts().writes.add(() => {
        parts().backlog.settle();
        const matches = parts().searches.findFirst(criteria, 2);
        if (matches.total === 0) parts().writer.insert(version);
        return matches;
      });
    },

    async replace(version, expected) {
      return parts().writes.add(() => parts().writer.replace(version, expected));
    },

    async revision(type, id) {
      const { statements, usedNumber } = parts();
      const currentVersion = textOf(type, id);
      if (!currentVersion) return undefined;
      return {
        current: currentVersion,
        issues: statements.issues[type].all(id),
        next: Math.max(currentVersion.version, usedNumber) + 1,
      };
    },

    async firstNumber() {
      return parts().usedNumber + 1;
    },

    startBulk: () => bulk.begin(),

    async search(criteria, ...options) {
      parts().rebuild.check(criteria);
      return readerClient.page(criteria, ...options);
    },

    async total(criteria, signal) {
      parts().rebuild.check(criteria);
      const selectiveTotal = readerClient.runHere(({ searches }) => searches.narrowTotal(criteria));
      return selectiveTotal ?? readerClient.ask('total', criteria, { type: criteria.type, signal });
    },

    async facet(criteria, { name }, limit, signal) {
      parts().rebuild.check(criteria);
      const query = { criteria, name, limit };
      const values = await readerClient.ask('facet', query, { type: criteria.type, signal });
      return values ?? { values: [], total: 0 };
    },

    async severities(type, ids) {
      return parts().statements.severities[type].all(JSON.stringify(ids));
    },

    async issueCounts(query) {
      return readerClient.ask('issueCounts', query);
    },

    async issues(query, after, limit) {
      const rows = await readerClient.ask('issues', { query, after, limit });
      return parts().quality.issuesAt(rows);
    },

    async count() {
      return parts().counts.count();
    },

    async newestSubjects(limit) {
      return readerClient.ask('subjects', limit);
    },

    async countOf(type, ids) {
      return parts().statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
    },

    async erase(records, onErased) {
      void audit.flush();
      const names = eraseNow(parts(), records, onErased);
      if (names.length > 0) companions.onChanged();
      return names;
    },

    async emptyLog() {
      await readerClient.runWithoutReaders(() => emptyLog(parts().database));
    },

    async close() {
      void audit.flush();
      parts().settle();
      await readerClient.close();
      manager.close();
    },
  };
}
