import { setImmediate } from 'node:timers/promises';
import type { NamedResource, ParsedSupportingResource } from '../../../core/fhir/supporting-resource.ts';
import type { AuditLogWriter } from './audit-log-writer.ts';
import { checksumOf, textColumns } from '../checksum.ts';
import {
  fateAmong,
  previewWrite,
  idsNaming,
  isChange,
  keptEntry,
  createSupportingResourceReader,
  removalBatch,
  removedEntry,
  removeInSteps,
  urnOf,
  type CompanionCount,
  type SupportingWriteResult,
  type CompanionLookups,
  type CompanionRow,
  type SupportingResourceStore,
} from '../supporting-resources.ts';
import type { Actor } from '../actor.ts';
import { hasTable, prepare, preparePluck, type SqliteDatabase } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

type CompanionStatements = ReturnType<typeof companionStatements>;

/** Prepares the statements on one connection. */
export function companionStatements(database: SqliteDatabase) {
  const rows = (condition: string) =>
    prepare<CompanionRow>(
      database,
      `SELECT type, id, full_url AS fullUrl, ${textColumns('companion')} FROM companion WHERE ${condition}`,
    );
  return {
    read: rows('type = ? AND id = ?'),
    byUrl: rows('full_url = ? ORDER BY pk DESC LIMIT 1'),
    byId: rows('id IN (?, ?) LIMIT 2'),
    // A key that was never used: larger than all keys of the audit log, which gets a row for each resource.
    add: preparePluck<number>(
      database,
      `INSERT INTO companion (pk, type, id, full_url, sha256, body)
         VALUES (1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit)),
                 ?, ?, ?, ?, ?) RETURNING pk`,
    ),
    // Keys are never used again. The same last key and count mean the same resources.
    stamp: preparePluck<string>(database, "SELECT coalesce(max(pk), 0) || ' ' || count(*) FROM companion"),
    addSubject: prepare(database, 'INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)'),
    counts: prepare<CompanionCount>(
      database,
      'SELECT type, count(*) AS count FROM companion GROUP BY type ORDER BY type',
    ),
    names: prepare<NamedResource>(
      database,
      'SELECT type, id FROM companion WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
    ),
  };
}

/** Objects of the current connection. */
interface CompanionDependencies {
  readonly database: SqliteDatabase;
  readonly supportingResources: CompanionStatements;
  readonly auditLog: AuditLogWriter;
  readonly writes: WriteQueue;
}

export function sqliteCompanions(
  getDependencies: () => CompanionDependencies,
): SupportingResourceStore & { onChanged(): void } {
  let cachedFingerprint: string | undefined;
  const lookups: CompanionLookups = {
    findByName: async ({ type, id }) => getDependencies().supportingResources.read.get(type, id),
    findByUrl: async (fullUrl) => getDependencies().supportingResources.byUrl.get(fullUrl),
    ofId: async (...ids) => getDependencies().supportingResources.byId.all(...ids),
  };
  const reader = createSupportingResourceReader(lookups);

  function store(companion: ParsedSupportingResource, actor: Actor): SupportingWriteResult {
    const { database, supportingResources, auditLog } = getDependencies();
    const { type, id, fullUrl, text, subjects } = companion;
    const urn = urnOf(companion);
    const underUrn = urn === undefined ? undefined : supportingResources.byUrl.get(urn);
    const writeResult = previewWrite(companion, supportingResources.read.get(type, id), underUrn);
    if (!isChange(writeResult)) return writeResult;
    // A replaced resource gets the latest key.
    if (writeResult === 'replaced') removeCompanions(database, 'type = ? AND id = ?', type, id);
    const place = supportingResources.add.get(type, id, fullUrl ?? null, checksumOf(text), text);
    for (const subject of subjects)
      supportingResources.addSubject.run(place, subject.id, subject.type ?? null);
    auditLog.add([keptEntry(writeResult, companion, actor)]);
    return writeResult;
  }

  /** Discards caches after an erasure or a restore. */
  function evictCaches(): void {
    cachedFingerprint = undefined;
    reader.changed();
  }

  return {
    ...reader,
    onChanged: evictCaches,

    async keep(companion, actor) {
      const writeResult = await getDependencies().writes.add(() => store(companion, actor));
      if (isChange(writeResult)) evictCaches();
      return writeResult;
    },

    async previewWrite(companion) {
      return fateAmong(lookups, companion);
    },

    async stamp() {
      return (cachedFingerprint ??= getDependencies().supportingResources.stamp.get() ?? '');
    },

    async counts() {
      return getDependencies().supportingResources.counts.all();
    },

    async names(type, after, limit) {
      return getDependencies().supportingResources.names.all(type, after, limit);
    },

    async remove(type, actor) {
      const condition = `pk IN (SELECT pk FROM companion ${type === undefined ? '' : 'WHERE type = ?'} LIMIT ${removalBatch})`;
      const values = type === undefined ? [] : [type];
      const removedCount = await removeInSteps(async () => {
        const { database, auditLog, writes } = getDependencies();
        const length = await writes.add(() => {
          const removedNames = removeCompanions(database, condition, ...values);
          if (removedNames.length < removalBatch) auditLog.add([removedEntry(type, actor)]);
          return removedNames.length;
        });
        await setImmediate();
        return length;
      });
      evictCaches();
      return removedCount;
    },
  };
}

/**
 * Removes supporting resources with their derived rows. The caller opens the transaction.
 *
 * @returns Their names.
 */
function removeCompanions(
  database: SqliteDatabase,
  where: string,
  ...values: readonly (string | number)[]
): readonly NamedResource[] {
  const rows = prepare<NamedResource & { readonly pk: number }>(
    database,
    `DELETE FROM companion WHERE ${where} RETURNING pk, type, id`,
  ).all(...values);
  const deleteSubjects = prepare(database, 'DELETE FROM companion_subject WHERE companion = ?');
  for (const { pk } of rows) deleteSubjects.run(pk);
  return rows.map(({ type, id }) => ({ type, id }));
}

/**
 * Removes a supporting resource and those about it, found by its id and its original URL. The caller opens the
 * transaction, on a connection with secure_delete.
 *
 * @returns Their names.
 */
export function eraseCompanion(
  database: SqliteDatabase,
  { type, id }: NamedResource,
): readonly NamedResource[] {
  const urls = preparePluck<string>(
    database,
    'SELECT full_url FROM companion WHERE type = ? AND id = ? AND full_url IS NOT NULL',
  ).all(type, id);
  const relatedNames = idsNaming({ type, id }, urls).flatMap((subjectId) =>
    removeCompanions(
      database,
      'pk IN (SELECT companion FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)',
      subjectId,
      type,
      type,
    ),
  );
  const ownNames = removeCompanions(database, 'type = ? AND id = ?', type, id);
  return ownNames.length + relatedNames.length === 0 ? [] : [{ type, id }, ...relatedNames];
}

/**
 * Creates a function that returns true if a copy of the records has a supporting resource or one about it. An older
 * schema
 * has none.
 */
export function companionsHold(database: SqliteDatabase): (name: NamedResource) => boolean {
  if (!hasTable(database, 'companion')) return () => false;
  const find = prepare(
    database,
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM companion WHERE type = ? AND id = ?)
       OR EXISTS (SELECT 1 FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)`,
  );
  return ({ type, id }) => find.get(type, id, id, type, type) !== undefined;
}
