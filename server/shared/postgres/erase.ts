import { dayNumber } from '../../../core/types/definition/dates.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import type { ErasureRequest, SourcedName } from '../../store/store.ts';
import { erasedEntry } from '../../store/write-entry.ts';
import { eraseSupportingResource } from './companions.ts';
import { reconcileIssues, readExisting, existingIssuesSql } from './issue-writer.ts';
import type { WriteContext } from './writes.ts';

const eraseSql = 'SELECT erase($1, $2, $3::bigint, $4, $5, $6, $7)';

/** Waits for a concurrent write of the record. */
const lockSql = 'SELECT pk FROM record WHERE type = $1 AND id = $2 FOR UPDATE';

/**
 * Erases the records that exist, with their entries in the audit log, and returns them. The list prevents
 * their return.
 *
 * The role of servers has no right to erase: a function of the database does it (`erase` in
 * schema/erasures.ts). It rejects the commit if an entry is missing.
 */
export async function eraseAll(
  context: WriteContext,
  requests: readonly ErasureRequest[],
): Promise<readonly ErasureRequest[]> {
  const { session, note } = context;
  const erasedRecords: ErasureRequest[] = [];
  for (const request of requests) {
    const time = request.time === undefined ? Date.now() : Date.parse(request.time);
    for (const name of await listErasedNames(context, request, time)) {
      const erasure = { ...request, ...name };
      const { type, id, who, person = null, reason, source = '' } = erasure;
      const values = [type, id, time, who, person, reason, source];
      await session.rows({ text: eraseSql, values });
      note(erasedEntry(erasure));
      erasedRecords.push(erasure);
    }
  }
  return erasedRecords;
}

/** Returns the name if it exists, with the names of dependent resources. Closes its findings. */
async function listErasedNames(
  context: WriteContext,
  { type, id, source }: SourcedName,
  time: number,
): Promise<readonly SourcedName[]> {
  const { session } = context;
  if (!isResourceType(type)) return eraseSupportingResource(session, { type, id, source });
  const [row] = await session.rows({ text: lockSql, values: [type, id] });
  if (!row) {
    const removedText = 'SELECT 1 FROM removed WHERE type = $1 AND id = $2';
    const removedRows = await session.rows({ text: removedText, values: [type, id] });
    if (removedRows.length === 0) return [];
  }
  for (const table of ['origin', 'document'])
    await session.rows({ text: `DELETE FROM ${table} WHERE type = $1 AND id = $2`, values: [type, id] });
  // A removed record has no findings.
  if (!row) return [{ type, id }];
  const recordKey = Number(row[0]);
  const text = `SELECT ${existingIssuesSql} FROM record r WHERE r.pk = $1`;
  const [[json] = []] = await session.rows({ text, values: [recordKey] });
  const existingIssues = readExisting(json);
  // The findings of the record end today.
  await reconcileIssues(
    context,
    [{ record: recordKey, type, existing: existingIssues, expected: [] }],
    dayNumber(time),
  );
  return [{ type, id }];
}
