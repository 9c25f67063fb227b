/**
 * Removes records and keeps their versions, so that the history stays. A removed record has a row in `removed` in place of
 * one in `record`, under the same key. An import can bring it again.
 */
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { perType } from '../../../core/fhir/resource.ts';
import { rowKey } from '../../sqlite/row-key.ts';
import { preparePluck } from '../../sqlite/sqlite.ts';
import { indexTableNames } from '../index-tables.ts';
import { isOfType } from '../sql.ts';
import type { Removal } from '../store.ts';
import { removalEntry } from '../write-entry.ts';
import { findingLife } from './finding-life.ts';
import type { ConnectionParts } from './sqlite-parts.ts';

/** Removes records as `remove` of the store promises, after it has committed pending writes. */
export function removeNow(
  { database, auditLog, writes, counts, notifyRowsChanged }: ConnectionParts,
  removals: readonly Removal[],
): readonly boolean[] {
  const findRecord = perType((type) =>
    preparePluck<number>(
      database,
      `SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ? AND r.version = ?`,
    ),
  );
  const rowTables = indexTableNames.map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE pk BETWEEN ? AND ?`),
  );
  const deleteResult = database.prepare('DELETE FROM check_result WHERE record = ?');
  const deleteRecord = database.prepare('DELETE FROM record WHERE pk = ?');
  const insertRemoved = database.prepare(
    `INSERT INTO removed (record, type, id, version, time, who, person, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const findings = findingLife(database);

  function removeOne(removal: Removal): boolean {
    const { type, id, version, now, who, person = null, reason = null } = removal;
    const pk = findRecord[type].get(id, version);
    if (pk === undefined) return false;
    findings.erases(pk, dayNumber(now));
    for (const table of rowTables) table.run(rowKey(pk, 0), rowKey(pk + 1, 0) - 1);
    deleteResult.run(pk);
    deleteRecord.run(pk);
    insertRemoved.run(pk, type, id, version, now, who, person, reason);
    auditLog.add([removalEntry(removal)]);
    return true;
  }

  const remove = database.transaction(() => removals.map(removeOne));
  // `direct` drops the pending index rows, which are then made of the records that remain.
  const results = writes.direct(() => remove.immediate());
  if (results.includes(true)) {
    counts.forget();
    notifyRowsChanged(true);
  }
  return results;
}
