import { dirname } from 'node:path';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { Questioner, type StoreReaders, type StoreState } from './asking.ts';
import { sqliteAudit } from './audit.ts';
import type { SealKey } from '../audit-chain.ts';
import { BulkWriting } from './bulk-writing.ts';
import { sqliteCompanions } from './sqlite-companions.ts';
import { DatabaseKeeper } from './database-keeper.ts';
import { recordMigrations } from './migrations.ts';
import { ownLeases } from '../leases.ts';
import { withOwnErrors } from './own-errors.ts';
import { sqliteChecks } from './sqlite-checks.ts';
import { sqliteRelations } from './sqlite-relations.ts';
import { sqliteFindings } from './sqlite-findings.ts';
import { sqliteDamage } from './sqlite-damage.ts';
import { DiskRoom } from './disk-room.ts';
import { sqliteDerived } from './sqlite-derived.ts';
import { partsOf } from './sqlite-parts.ts';
import { emptyLog, eraseNow } from './erase.ts';
import { sqliteFiles } from './sqlite-files.ts';
import type { FileStore, OrDamaged, StoredBytes, StoredVersion } from '../store.ts';

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
  return Promise.resolve().then(() => withOwnErrors(sqliteStore(path, of, key, readers)));
}

/** The driver is synchronous; its answers are promises so that a store across a network can stand in its place. */
function sqliteStore(
  path: string,
  of: readonly Derivation[],
  key?: SealKey,
  readers?: StoreReaders,
): FileStore {
  const bulk = new BulkWriting();
  const questions = new Questioner(path, () => keeper, readers);
  const room = new DiskRoom(dirname(path));
  const parts = () => keeper.parts;
  const on: StoreState = {
    questions,
    get parts() {
      return parts();
    },
  };
  const damage = withOwnErrors(sqliteDamage(parts));
  const companions = withOwnErrors(sqliteCompanions(parts));
  const audit = withOwnErrors(sqliteAudit(parts, key, () => questions.carry()));
  const derived = withOwnErrors(sqliteDerived(on, of));
  const keeper = new DatabaseKeeper({
    path,
    migrations: recordMigrations,
    partsOf: (database, failed) => {
      bulk.use(database);
      room.probe(database);
      return partsOf(database, of, key, {
        ...{ failed, before: () => bulk.makeRoom(), noticed: damage.notice },
        /** Where a full disk refused the readers their file, they come once there is room. */
        took: (full) => {
          room.note(full);
          if (!room.full && keeper.alone) setImmediate(() => keeper.share());
        },
        changed: (issues) => questions.changed(issues),
      });
    },
  });
  const files = sqliteFiles({
    ...{ keeper, questions, audit, key },
    opened: () => {
      companions.changed();
      derived.opened();
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
    const found = current(type, id);
    return !found || 'fault' in found ? found : { ...found, text: found.bytes.toString() };
  }

  return {
    ...{ audit, derived, damage, companions, room, leases: ownLeases },
    findings: withOwnErrors(sqliteFindings(on)),
    checks: withOwnErrors(sqliteChecks(on)),
    relations: withOwnErrors(sqliteRelations(on)),
    files: withOwnErrors(files),
    heads: {
      newest: (...asked) => parts().heads.newest(...asked),
      changed: (since) => questions.ask('changed', since),
      writers: (since, limit) => questions.ask('writers', { since, limit }),
      proven: (...asked) => parts().heads.proven(...asked),
    },
    get alone() {
      return keeper.alone;
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
          ? questions.ask('versions', { type, query }, { type })
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
        const matches = parts().searches.first(criteria, 2);
        if (matches.total === 0) parts().writer.insert(version);
        return matches;
      });
    },

    async replace(version, expected) {
      return parts().writes.add(() => parts().writer.replace(version, expected));
    },

    async revision(type, id) {
      const { statements, taken } = parts();
      const standing = textOf(type, id);
      if (!standing) return undefined;
      return {
        standing,
        issues: statements.issues[type].all(id),
        next: Math.max(standing.version, taken) + 1,
      };
    },

    async firstNumber() {
      return parts().taken + 1;
    },

    beginBulk: () => bulk.begin(),

    async search(criteria, ...asked) {
      parts().rebuild.check(criteria);
      return questions.page(criteria, ...asked);
    },

    async total(criteria, signal) {
      parts().rebuild.check(criteria);
      const narrow = questions.here(({ searches }) => searches.narrowTotal(criteria));
      return narrow ?? questions.ask('total', criteria, { type: criteria.type, signal });
    },

    async facet(criteria, { name }, limit, signal) {
      parts().rebuild.check(criteria);
      const asked = { criteria, name, limit };
      const found = await questions.ask('facet', asked, { type: criteria.type, signal });
      return found ?? { values: [], total: 0 };
    },

    async severities(type, ids) {
      return parts().statements.severities[type].all(JSON.stringify(ids));
    },

    async issueCounts(query) {
      return questions.ask('issueCounts', query);
    },

    async issues(query, after, limit) {
      const rows = await questions.ask('issues', { query, after, limit });
      return parts().quality.issuesAt(rows);
    },

    async count() {
      return parts().counts.count();
    },

    async newestSubjects(limit) {
      return questions.ask('subjects', limit);
    },

    async countOf(type, ids) {
      return parts().statements.countOf[type].get(JSON.stringify(ids))?.total ?? 0;
    },

    async erase(records, listed) {
      void audit.flush();
      const names = eraseNow(parts(), records, listed);
      if (names.length > 0) companions.changed();
      return names;
    },

    async emptyLog() {
      await questions.without(() => emptyLog(parts().database));
    },

    async close() {
      void audit.flush();
      parts().settle();
      await questions.close();
      keeper.close();
    },
  };
}
