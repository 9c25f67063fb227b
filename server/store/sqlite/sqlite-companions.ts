/** Supporting resources in SQLite, in the table `companion`. */
import { setImmediate } from 'node:timers/promises';
import type { NamedResource, ParsedSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import type { AuditLogWriter } from './audit-log-writer.ts';
import { checksumOf, textColumns } from '../checksum.ts';
import {
  previewWriteIn,
  decideWrite,
  listReferencingIds,
  isChange,
  createStoreEntry,
  createSupportingResourceReader,
  removalBatchSize,
  createRemovalEntry,
  removeInSteps,
  urnOf,
  type SupportingResourceCount,
  type SupportingWriteResult,
  type SupportingResourceLookups,
  type SupportingResourceRow,
  type SupportingResourceStore,
} from '../supporting-resources.ts';
import type { Actor } from '../actor.ts';
import { prepare, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

type SupportingResourceStatements = ReturnType<typeof prepareStatements>;

/** Prepares the statements for supporting resources on one connection. */
export function prepareStatements(database: SqliteDatabase) {
  const selectWhere = (condition: string) =>
    prepare<SupportingResourceRow>(
      database,
      `SELECT type, id, full_url AS fullUrl, ${textColumns('companion')} FROM companion WHERE ${condition}`,
    );
  return {
    findByName: selectWhere('type = ? AND id = ?'),
    findByUrl: selectWhere('full_url = ? ORDER BY pk DESC LIMIT 1'),
    findByIds: selectWhere('id IN (?, ?) LIMIT 2'),
    // A key that was never used. The audit log has a row for each resource ever stored, so its last key is never below that
    // of a removed resource.
    insert: preparePluck<number>(
      database,
      `INSERT INTO companion (pk, type, id, full_url, sha256, body)
         VALUES (1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit)),
                 ?, ?, ?, ?, ?) RETURNING pk`,
    ),
    // Keys are never used again: an equal last key and count mean equal resources.
    computeFingerprint: preparePluck<string>(
      database,
      "SELECT coalesce(max(pk), 0) || ' ' || count(*) FROM companion",
    ),
    insertSubject: prepare(database, 'INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)'),
    countByType: prepare<SupportingResourceCount>(
      database,
      'SELECT type, count(*) AS count FROM companion GROUP BY type ORDER BY type',
    ),
    listNames: prepare<NamedResource>(
      database,
      'SELECT type, id FROM companion WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
    ),
  };
}

/** Objects of the current connection. */
interface Dependencies {
  readonly database: SqliteDatabase;
  readonly supportingResourceStatements: SupportingResourceStatements;
  readonly auditLog: AuditLogWriter;
  readonly writes: WriteQueue;
}

export function createSqliteSupportingResources(
  getDependencies: () => Dependencies,
): SupportingResourceStore & {
  /** Call it after an erasure or a restore. */
  markChanged(): void;
} {
  let cachedFingerprint: string | undefined;
  const lookups: SupportingResourceLookups = {
    findByName: async ({ type, id }) =>
      getDependencies().supportingResourceStatements.findByName.get(type, id),
    findByUrl: async (fullUrl) => getDependencies().supportingResourceStatements.findByUrl.get(fullUrl),
    findByIds: async (...ids) => getDependencies().supportingResourceStatements.findByIds.all(...ids),
  };
  const reader = createSupportingResourceReader(lookups);

  function storeResource(resource: ParsedSupportingResource, actor: Actor): SupportingWriteResult {
    const { database, supportingResourceStatements, auditLog } = getDependencies();
    const { type, id, fullUrl, text, subjects } = resource;
    const urn = urnOf(resource);
    const rowOfUrn = urn === undefined ? undefined : supportingResourceStatements.findByUrl.get(urn);
    const writeResult = decideWrite(
      resource,
      supportingResourceStatements.findByName.get(type, id),
      rowOfUrn,
    );
    if (!isChange(writeResult)) return writeResult;
    // A replaced resource gets the latest key.
    if (writeResult === 'replaced') removeSupportingResources(database, 'type = ? AND id = ?', type, id);
    const key = supportingResourceStatements.insert.get(type, id, fullUrl ?? null, checksumOf(text), text);
    for (const subject of subjects)
      supportingResourceStatements.insertSubject.run(key, subject.id, subject.type ?? null);
    auditLog.add([createStoreEntry(writeResult, resource, actor)]);
    return writeResult;
  }

  function markChanged(): void {
    cachedFingerprint = undefined;
    reader.notifyListeners();
  }

  return {
    ...reader,
    markChanged,

    async store(resource, actor) {
      const writeResult = await getDependencies().writes.add(() => storeResource(resource, actor));
      if (isChange(writeResult)) markChanged();
      return writeResult;
    },

    async previewWrite(resource) {
      return previewWriteIn(lookups, resource);
    },

    async getFingerprint() {
      return (cachedFingerprint ??=
        getDependencies().supportingResourceStatements.computeFingerprint.get() ?? '');
    },

    async countByType() {
      return getDependencies().supportingResourceStatements.countByType.all();
    },

    async listNames(type, after, limit) {
      return getDependencies().supportingResourceStatements.listNames.all(type, after, limit);
    },

    async remove(type, actor) {
      const condition = `pk IN (SELECT pk FROM companion ${type === undefined ? '' : 'WHERE type = ?'} LIMIT ${removalBatchSize})`;
      const values = type === undefined ? [] : [type];
      const removedCount = await removeInSteps(async () => {
        const { database, auditLog, writes } = getDependencies();
        const removedInStep = await writes.add(() => {
          const removedNames = removeSupportingResources(database, condition, ...values);
          if (removedNames.length < removalBatchSize) auditLog.add([createRemovalEntry(type, actor)]);
          return removedNames.length;
        });
        await setImmediate();
        return removedInStep;
      });
      markChanged();
      return removedCount;
    },
  };
}

/**
 * Removes supporting resources with their derived rows. The caller opens the transaction.
 *
 * @returns The names of the removed resources.
 */
function removeSupportingResources(
  database: SqliteDatabase,
  condition: string,
  ...values: readonly (string | number)[]
): readonly NamedResource[] {
  const rows = prepare<NamedResource & { readonly pk: number }>(
    database,
    `DELETE FROM companion WHERE ${condition} RETURNING pk, type, id`,
  ).all(...values);
  const deleteSubjects = prepare(database, 'DELETE FROM companion_subject WHERE companion = ?');
  for (const { pk } of rows) deleteSubjects.run(pk);
  return rows.map(({ type, id }) => ({ type, id }));
}

/**
 * Removes a supporting resource and the resources about it, which name its id or its original URL. The caller opens the
 * transaction, on a connection with secure_delete.
 *
 * @returns The name of the resource, then the names of the removed resources about it. Empty if none was stored.
 */
export function eraseSupportingResource(
  database: SqliteDatabase,
  { type, id }: NamedResource,
): readonly NamedResource[] {
  const urls = preparePluck<string>(
    database,
    'SELECT full_url FROM companion WHERE type = ? AND id = ? AND full_url IS NOT NULL',
  ).all(type, id);
  const relatedNames = listReferencingIds({ type, id }, urls).flatMap((subjectId) =>
    removeSupportingResources(
      database,
      'pk IN (SELECT companion FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)',
      subjectId,
      type,
      type,
    ),
  );
  const ownNames = removeSupportingResources(database, 'type = ? AND id = ?', type, id);
  return ownNames.length + relatedNames.length === 0 ? [] : [{ type, id }, ...relatedNames];
}
