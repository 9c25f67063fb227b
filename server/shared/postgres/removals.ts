/** Removes records of a shared store and keeps their versions (schema/batches.ts). */
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { authorshipIn } from '../../../core/app/authorship.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Removal, RemovedRecord } from '../../store/store.ts';
import { removalEntry } from '../../store/write-entry.ts';
import type { Session } from './connection.ts';
import { existingIssuesSql, readExisting, reconcileIssues } from './issue-writer.ts';
import type { WriteContext } from './writes.ts';

const lockSql = `SELECT r.pk, ${existingIssuesSql} FROM record r
  WHERE r.type = $1 AND r.id = $2 AND r.version = $3::integer FOR UPDATE OF r`;
const removeSql = 'SELECT remove_record($1, $2, $3::integer, $4::bigint, $5, $6, $7)';
const findSql = 'SELECT version, time, who, person, reason FROM removed WHERE type = $1 AND id = $2';

/** Removes records with their audit entries, in the order of their names. */
export async function removeAll(
  context: WriteContext,
  removals: readonly Removal[],
): Promise<readonly boolean[]> {
  const removed = new Set<Removal>();
  const order = [...removals].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  for (const removal of order) if (await removeOne(context, removal)) removed.add(removal);
  return removals.map((removal) => removed.has(removal));
}

async function removeOne(context: WriteContext, removal: Removal): Promise<boolean> {
  const { session, note } = context;
  const { type, id, version, now, who, person = null, reason = null } = removal;
  const [row] = await session.rows({ text: lockSql, values: [type, id, version] });
  if (!row) return false;
  const [record, issues] = row;
  // The findings of the record end today.
  await reconcileIssues(
    context,
    [{ record: Number(record), type, existing: readExisting(issues), expected: [] }],
    dayNumber(now),
  );
  const [[isRemoved] = []] = await session.rows({
    text: removeSql,
    values: [type, id, version, now, who, person, reason],
  });
  if (!isRemoved) return false;
  note(removalEntry(removal));
  return true;
}

function nameOf({ type, id }: Pick<Removal, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

/** Returns how a record was removed. */
export async function readRemoved(
  session: Session,
  type: ResourceType,
  id: string,
): Promise<RemovedRecord | undefined> {
  const [row] = await session.rows({ text: findSql, values: [type, id] });
  if (!row) return undefined;
  const [version, time, who, person = null, reason = null] = row;
  const { author, ...authorship } = authorshipIn({
    author: String(who),
    person: person === null ? null : String(person),
    reason: reason === null ? null : String(reason),
  });
  return { version: Number(version), time: new Date(Number(time)).toISOString(), who: author, ...authorship };
}
