/** Supporting resources in SQLite, in the table `companion`. */
import { setImmediate } from 'node:timers/promises';
import {
  readSubjects,
  type NamedResource,
  type ParsedSupportingResource,
} from '../../../core/fhir/supporting-resource.ts';
import { batchSource, type Origin } from '../../../core/fhir/origin.ts';
import type { AuditLogWriter } from './audit-log-writer.ts';
import type { BatchStatements } from './batch-statements.ts';
import { checksumOf, textColumns } from '../checksum.ts';
import {
  previewWriteIn,
  chooseSource,
  decideWrite,
  maxCandidates,
  chooseErasureTargets,
  isAboutTarget,
  listErased,
  isChange,
  createStoreEntry,
  createUndoEntry,
  createSupportingResourceReader,
  removalBatchSize,
  createRemovalEntry,
  removeInSteps,
  urnOf,
  type KeyedRow,
  type ResourceIdentity,
  type SourcedName,
  type SupportingResourceCount,
  type SupportingWriteResult,
  type SupportingResourceLookups,
  type SupportingResourceRow,
  type SupportingResourceStore,
} from '../supporting-resources.ts';
import type { Actor } from '../actor.ts';
import type { StoredLine, WrittenResource } from '../import-batches.ts';
import { prepare, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

type SupportingResourceStatements = ReturnType<typeof prepareStatements>;

/** Prepares the statements for supporting resources on one connection. */
export function prepareStatements(database: SqliteDatabase) {
  const selectWhere = (condition: string) =>
    prepare<SupportingResourceRow>(
      database,
      `SELECT type, id, source, batch, full_url AS fullUrl, ${textColumns('companion')} FROM companion
       WHERE ${condition} ORDER BY pk DESC LIMIT ${maxCandidates}`,
    );
  return {
    findByName: selectWhere('type = ? AND id = ?'),
    findByUrl: selectWhere('full_url = ?'),
    findByIds: selectWhere('id IN (?, ?)'),
    findOfSource: selectWhere('type = ? AND id = ? AND source = ?'),
    findOrigin: prepare<OriginRow>(
      database,
      'SELECT source, batch, full_url AS fullUrl FROM origin WHERE type = ? AND id = ?',
    ),
    findRecordsByUrl: prepare<OriginRow & NamedResource>(
      database,
      `SELECT type, id, source, batch, full_url AS fullUrl FROM origin WHERE full_url = ? ORDER BY pk DESC
       LIMIT ${maxCandidates}`,
    ),
    // A key that was never used. The audit log has a row for each resource ever stored, so its last key is never below that
    // of a removed resource.
    insert: preparePluck<number>(
      database,
      `INSERT INTO companion (pk, type, id, source, batch, full_url, sha256, body)
         VALUES (1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit)),
                 ?, ?, ?, ?, ?, ?, ?) RETURNING pk`,
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
    listNames: prepare<ResourceIdentity>(
      database,
      'SELECT type, id, source FROM companion WHERE type = ? AND (id, source) > (?, ?) ORDER BY id, source LIMIT ?',
    ),
  };
}

interface OriginRow extends Omit<Origin, 'fullUrl'> {
  readonly fullUrl: string | null;
}

/** Objects of the current connection. */
interface Dependencies {
  readonly database: SqliteDatabase;
  readonly supportingResourceStatements: SupportingResourceStatements;
  readonly auditLog: AuditLogWriter;
  readonly batches: BatchStatements;
  readonly writes: WriteQueue;
}

export function createSqliteSupportingResources(
  getDependencies: () => Dependencies,
): SupportingResourceStore & {
  /** Call it after an erasure or a restore. */
  markChanged(): void;
} {
  let cachedFingerprint: string | undefined;
  const statements = () => getDependencies().supportingResourceStatements;
  const lookups: SupportingResourceLookups = {
    findByName: async ({ type, id }) => statements().findByName.all(type, id),
    findByUrl: async (fullUrl) => statements().findByUrl.all(fullUrl),
    findByIds: async (...ids) => statements().findByIds.all(...ids),
    findOfSource: async ({ type, id, source }) => statements().findOfSource.get(type, id, source),
    async findOrigin({ type, id }) {
      const row = statements().findOrigin.get(type, id);
      return row && { ...row, fullUrl: row.fullUrl ?? undefined };
    },
    findRecordsByUrl: async (fullUrl) =>
      statements()
        .findRecordsByUrl.all(fullUrl)
        .map((row) => ({ ...row, fullUrl })),
  };
  const reader = createSupportingResourceReader(lookups);

  function storeResource(
    resource: ParsedSupportingResource,
    batch: string,
    actor: Actor,
    batchLine?: StoredLine,
  ): SupportingWriteResult {
    const { database, auditLog, batches } = getDependencies();
    const { findByUrl, findOfSource, insert, insertSubject } = statements();
    const { type, id, fullUrl, text, subjects } = resource;
    const urn = urnOf(resource);
    const source = chooseSource(resource, batch, urn === undefined ? [] : findByUrl.all(urn));
    const former = findOfSource.get(type, id, source);
    const writeResult = decideWrite(resource, former);
    if (!isChange(writeResult)) return writeResult;
    // A replaced resource gets the latest key.
    if (writeResult === 'replaced')
      removeSupportingResources(database, 'type = ? AND id = ? AND source = ?', type, id, source);
    const key = insert.get(type, id, source, batch, fullUrl ?? null, checksumOf(text), text);
    for (const subject of subjects) insertSubject.run(key, subject.id, subject.type ?? null);
    if (batchLine) batches.addResource(writeResult, { type, id, source }, batchLine, former);
    auditLog.add([createStoreEntry(writeResult, resource, actor)]);
    return writeResult;
  }

  function undoResource(batch: string, { position, type, id, source }: WrittenResource, actor: Actor): void {
    const { database, auditLog, batches } = getDependencies();
    const { findOfSource, insert, insertSubject } = statements();
    const former = batches.takeFormer(position);
    const identity = { type, id, source };
    if (findOfSource.get(type, id, source)?.batch !== batch) {
      batches.passFormer(batch, identity, former);
      return;
    }
    removeSupportingResources(database, 'type = ? AND id = ? AND source = ?', type, id, source);
    if (former) {
      const key = insert.get(type, id, source, former.batch, former.fullUrl, former.sha256, former.body);
      for (const subject of readSubjects(type, former.body, former.fullUrl))
        insertSubject.run(key, subject.id, subject.type ?? null);
    }
    auditLog.add([createUndoEntry(former !== undefined, identity, actor)]);
  }

  function markChanged(): void {
    cachedFingerprint = undefined;
    reader.notifyListeners();
  }

  return {
    ...reader,
    markChanged,

    async store(resource, batch, actor, batchLine) {
      const writeResult = await getDependencies().writes.add(() =>
        storeResource(resource, batch, actor, batchLine),
      );
      if (isChange(writeResult)) markChanged();
      return writeResult;
    },

    async undo(batch, resources, actor) {
      await getDependencies().writes.add(() => {
        for (const resource of resources) undoResource(batchSource(batch), resource, actor);
      });
      markChanged();
    },

    async previewWrite(resource, batch) {
      return (await previewWriteIn(lookups, resource, batch)).writeResult;
    },

    async getFingerprint() {
      return (cachedFingerprint ??= statements().computeFingerprint.get() ?? '');
    },

    async countByType() {
      return statements().countByType.all();
    },

    async listNames(type, after, limit) {
      return statements().listNames.all(type, after?.id ?? '', after?.source ?? '', limit);
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
 * Removes a supporting resource and the resources about it, with what import batches keep of them. The caller opens the transaction, on a connection with
 * secure_delete.
 *
 * @returns The identity of the resource, then those of the removed resources about it. Empty if none was stored.
 */
export function eraseSupportingResource(
  database: SqliteDatabase,
  { type, id, source }: SourcedName,
): readonly ResourceIdentity[] {
  const findRows = (condition: string, ...values: readonly string[]) =>
    prepare<KeyedRow>(
      database,
      `SELECT pk, type, id, source, batch, full_url AS fullUrl, ${textColumns('companion')} FROM companion
       WHERE ${condition}`,
    ).all(...values);
  // Texts that a later import replaced.
  const findFormers = (condition: string, ...values: readonly string[]) =>
    prepare<KeyedRow>(
      database,
      `SELECT pk, type, id, source, former_batch AS batch, former_url AS fullUrl, CAST(former_body AS BLOB) AS body,
         hex(former_sha256) AS sha256
       FROM batch_line WHERE former_body IS NOT NULL AND ${condition}`,
    ).all(...values);
  const namedFormers = findFormers('type = ? AND id = ?', type, id);
  const targets = chooseErasureTargets({ type, id, source }, [
    ...findRows('type = ? AND id = ?', type, id),
    ...namedFormers,
  ]);
  const rowsAbout = findRows(
    `pk IN (SELECT companion FROM companion_subject s
       WHERE s.id IN (SELECT value FROM json_each(?)) AND coalesce(s.type, ?) = ?)`,
    JSON.stringify(targets.ids),
    type,
    type,
  );
  const erasedRows = [...targets.targets, ...rowsAbout.filter((row) => isAboutTarget(row, targets))];
  for (const row of erasedRows)
    if (!namedFormers.includes(row)) removeSupportingResources(database, 'pk = ?', row.pk);
  const formersAbout = findFormers(
    'EXISTS (SELECT 1 FROM json_each(?) j WHERE instr(former_body, j.value) > 0)',
    JSON.stringify(targets.ids),
  );
  const dropFormer = prepare(
    database,
    `UPDATE batch_line SET former_batch = NULL, former_url = NULL, former_sha256 = NULL, former_body = NULL WHERE pk = ?`,
  );
  for (const row of formersAbout) if (isAboutTarget(row, targets)) dropFormer.run(row.pk);
  const identities = listErased({ type, id, source }, erasedRows);
  const dropLines = prepare(
    database,
    "DELETE FROM batch_line WHERE type = @type AND id = @id AND (source IN (@source, '') OR @source = '')",
  );
  for (const identity of identities) dropLines.run({ ...identity });
  return identities;
}
