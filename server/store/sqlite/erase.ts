/**
 * Removes records and supporting resources for good: all versions and all rows about them. secure_delete removes the
 * bytes from the file, and the WAL is emptied. The audit log stays and records the erasure.
 */
import { formatRecordName } from '../../../core/app/erasures.ts';
import { isResourceType, perType } from '../../../core/fhir/resource.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { eraseSupportingResource } from './sqlite-companions.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { findingLife } from './finding-life.ts';
import { indexTableNames } from '../index-tables.ts';
import { rowKey } from '../../sqlite/row-key.ts';
import { isOfType } from '../sql.ts';
import { closing, connect, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { ErasureRequest } from '../store.ts';
import { erasedEntry } from '../write-entry.ts';
import type { ConnectionParts } from './sqlite-parts.ts';

/** Erases records as `erase` of the store promises, after it has committed pending writes. */
export function eraseNow(
  { database, auditLog, writes, notifyRowsChanged }: ConnectionParts,
  records: readonly ErasureRequest[],
  onErased: (erasedRecords: readonly ErasureRequest[]) => void = () => undefined,
): string[] {
  const erase = database.transaction(() => {
    const erasedRecords = eraseRecords(database, auditLog, records);
    if (erasedRecords.length > 0) onErased(erasedRecords);
    return erasedRecords.map(formatRecordName);
  });
  const names = writes.direct(() => erase.immediate());
  if (names.length > 0) notifyRowsChanged(true);
  return names;
}

/**
 * Erases the existing records and supporting resources, and appends an audit entry for each. The caller
 * opens the transaction, on a connection with secure_delete.
 *
 * @returns The erased records, including supporting resources about an erased subject.
 */
function eraseRecords(
  database: SqliteDatabase,
  trail: AuditLogWriter,
  requests: readonly ErasureRequest[],
): ErasureRequest[] {
  const findStatements = perType((type) =>
    preparePluck<number>(
      database,
      `SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = @id
       UNION ALL SELECT m.record FROM removed m WHERE m.type = '${type}' AND m.id = @id`,
    ),
  );
  const deleteRows = indexTableNames.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE pk BETWEEN ? AND ?`),
  );
  const findingHistory = findingLife(database);
  const deleteVersions = database.prepare('DELETE FROM version WHERE record = ?');
  const deleteRecord = database.prepare('DELETE FROM record WHERE pk = ?');
  const deleteSource = ['origin', 'document'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE type = ? AND id = ?`),
  );
  const deleteRemoved = database.prepare('DELETE FROM removed WHERE record = ?');
  const deleteLines = database.prepare('DELETE FROM batch_line WHERE record = ?');
  // SQLite may assign the primary keys of erased versions again. New versions with these keys are neither indexed nor
  // checked.
  const limitIndexedVersion = database.prepare(
    'UPDATE indexed SET version = min(version, (SELECT coalesce(max(pk), 0) FROM version))',
  );
  const limitCheckProgress = database.prepare(
    'UPDATE check_slot SET done = min(done, (SELECT coalesce(max(pk), 0) FROM version))',
  );
  const deleteResults = database.prepare('DELETE FROM check_result WHERE record = ?');
  const erasedRecords = requests.flatMap((request) => {
    const { type, id, time } = request;
    const day = dayNumber(time === undefined ? Date.now() : Date.parse(time));
    if (!isResourceType(type))
      return eraseSupportingResource(database, request).map((supportingResource) => ({
        ...request,
        ...supportingResource,
      }));
    const recordKeys = findStatements[type].all({ id });
    for (const pk of recordKeys) {
      findingHistory.erases(pk, day);
      for (const table of deleteRows) table.run(rowKey(pk, 0), rowKey(pk + 1, 0) - 1);
      deleteResults.run(pk);
      deleteVersions.run(pk);
      deleteRecord.run(pk);
      deleteRemoved.run(pk);
      deleteLines.run(pk);
    }
    for (const statement of deleteSource) statement.run(type, id);
    return recordKeys.length > 0 ? [request] : [];
  });
  limitIndexedVersion.run();
  limitCheckProgress.run();
  trail.add(erasedRecords.map(erasedEntry));
  return erasedRecords;
}

/** Erases records in a file of the current schema that no server has open: a backup that is about to be restored. */
export function eraseRecordsIn(path: string, requests: readonly ErasureRequest[], key?: SealKey): string[] {
  if (requests.length === 0) return [];
  return closing(connect(path), (database) => {
    database.pragma('secure_delete = ON');
    const trail = new AuditLogWriter(database, key);
    // An empty source stands for all.
    const sourcedRequests = requests.map((request) => ({ ...request, source: request.source ?? '' }));
    const erasedRecords = database
      .transaction(() => eraseRecords(database, trail, sourcedRequests))
      .immediate();
    return erasedRecords.map(formatRecordName);
  });
}

/**
 * Checkpoints and truncates the WAL, because it still contains erased bytes.
 *
 * @throws Error if the WAL is in use. The records stay erased.
 */
export function truncateWal(database: SqliteDatabase): void {
  const [{ busy } = { busy: 1 }] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (busy !== 0) throw new Error('The log could not be carried over.');
}
