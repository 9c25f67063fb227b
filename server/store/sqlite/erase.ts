/**
 * Removes records and companions for good: all versions and the rows that describe them, so that their bytes are in no page of the file
 * (secure_delete) and not in its log. What the audit trail says of them stays, and says that they were erased.
 */
import { nameOfRecord } from '../../../core/app/erasures.ts';
import { isResourceType, perType } from '../../../core/fhir/resource.ts';
import type { SealKey } from '../audit-chain.ts';
import { AuditTrail } from './audit-trail.ts';
import { eraseCompanion } from './sqlite-companions.ts';
import { dayNumber } from '../../../core/app/days.ts';
import { findingLife } from '../finding-life.ts';
import { indexTableNames } from '../index-tables.ts';
import { rowKey } from '../row-key.ts';
import { isOfType } from '../sql.ts';
import { closing, connect, preparePluck, type SqliteDatabase } from './sqlite.ts';
import type { Erasing } from '../store.ts';
import { erasedEntry } from '../write-entry.ts';
import type { Parts } from './sqlite-parts.ts';

/** Does what `erase` of the store promises, at once: what waits to be written is committed before. */
export function eraseNow(
  { database, trail, writes, rowsChanged }: Parts,
  records: readonly Erasing[],
  listed: (erased: readonly Erasing[]) => void = () => undefined,
): string[] {
  const erase = database.transaction(() => {
    const erased = eraseRecords(database, trail, records);
    if (erased.length > 0) listed(erased);
    return erased.map(nameOfRecord);
  });
  const names = writes.direct(() => erase.immediate());
  if (names.length > 0) rowsChanged(true);
  return names;
}

/**
 * Removes those of the records that are there, and of the companions with those that are about them, each with its entry in
 * the audit trail; answers them. Belongs into a transaction of the caller's, on a connection with secure_delete.
 */
function eraseRecords(database: SqliteDatabase, trail: AuditTrail, erased: readonly Erasing[]): Erasing[] {
  const find = perType((type) =>
    preparePluck<number>(database, `SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?`),
  );
  const rows = indexTableNames.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE pk BETWEEN ? AND ?`),
  );
  const life = findingLife(database);
  const versions = database.prepare('DELETE FROM version WHERE record = ?');
  const record = database.prepare('DELETE FROM record WHERE pk = ?');
  // The numbers of its versions may be given again: what is written under them is neither indexed nor checked yet.
  const indexed = database.prepare(
    'UPDATE indexed SET version = min(version, (SELECT coalesce(max(pk), 0) FROM version))',
  );
  const asked = database.prepare(
    'UPDATE check_slot SET done = min(done, (SELECT coalesce(max(pk), 0) FROM version))',
  );
  const results = database.prepare('DELETE FROM check_result WHERE record = ?');
  const there = erased.flatMap((erasing) => {
    const { type, id, time } = erasing;
    const day = dayNumber(time === undefined ? Date.now() : Date.parse(time));
    if (!isResourceType(type))
      return eraseCompanion(database, erasing).map((one) => ({ ...erasing, ...one }));
    const found = find[type].all(id);
    for (const pk of found) {
      life.erases(pk, day);
      for (const table of rows) table.run(rowKey(pk, 0), rowKey(pk + 1, 0) - 1);
      results.run(pk);
      versions.run(pk);
      record.run(pk);
    }
    return found.length > 0 ? [erasing] : [];
  });
  indexed.run();
  asked.run();
  trail.add(there.map(erasedEntry));
  return there;
}

/** The same in a copy of today's schema that nobody holds: a backup that is about to be put in place. */
export function eraseRecordsIn(path: string, erased: readonly Erasing[], key?: SealKey): string[] {
  if (erased.length === 0) return [];
  return closing(connect(path), (database) => {
    database.pragma('secure_delete = ON');
    const trail = new AuditTrail(database, key);
    const gone = database.transaction(() => eraseRecords(database, trail, erased)).immediate();
    return gone.map(nameOfRecord);
  });
}

/**
 * Carries the log over and cuts it to nothing: what was removed stands in there as it was.
 *
 * @throws Error where that was not possible; what was removed is removed all the same.
 */
export function emptyLog(database: SqliteDatabase): void {
  const [{ busy } = { busy: 1 }] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (busy !== 0) throw new Error('The log could not be carried over.');
}
