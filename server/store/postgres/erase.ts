import { dayNumber } from '../../../core/app/days.ts';
import type { NamedResource } from '../../../core/fhir/companion.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';
import type { Erasing } from '../store.ts';
import { erasedEntry } from '../write-entry.ts';
import { eraseCompanion } from './companions.ts';
import { mendIssues, readStanding, standingIssues } from './issue-writer.ts';
import type { Writing } from './writes.ts';

const eraseText = 'SELECT erase($1, $2, $3::bigint, $4, $5, $6)';

/** Waits for whoever writes it now. */
const lockText = 'SELECT pk FROM record WHERE type = $1 AND id = $2 FOR UPDATE';

/**
 * Removes those that are there, with their entries in the audit trail, and lists them, so that none comes back; answers them. A
 * server's role may not: the database does it (`erase` in schema/erasures.ts), and refuses the commit where an entry is missing.
 */
export async function eraseAll(writing: Writing, erased: readonly Erasing[]): Promise<readonly Erasing[]> {
  const { session, note } = writing;
  const all: Erasing[] = [];
  for (const erasing of erased) {
    const time = erasing.time === undefined ? Date.now() : Date.parse(erasing.time);
    for (const named of await goingWith(writing, erasing, time)) {
      const one = { ...erasing, ...named };
      const values = [one.type, one.id, time, one.who, one.person ?? null, one.reason];
      await session.rows({ text: eraseText, values });
      note(erasedEntry(one));
      all.push(one);
    }
  }
  return all;
}

/** Names what is to be erased, where it is there, and what goes with it. */
async function goingWith(
  writing: Writing,
  { type, id }: NamedResource,
  time: number,
): Promise<readonly NamedResource[]> {
  const { session } = writing;
  if (!isResourceType(type)) return eraseCompanion(session, { type, id });
  const [found] = await session.rows({ text: lockText, values: [type, id] });
  if (!found) return [];
  const record = Number(found[0]);
  const text = `SELECT ${standingIssues} FROM record r WHERE r.pk = $1`;
  const [[json] = []] = await session.rows({ text, values: [record] });
  const standing = readStanding(json);
  // Its findings end today.
  await mendIssues(writing, [{ record, type, standing, wanted: [] }], dayNumber(time));
  return [{ type, id }];
}
