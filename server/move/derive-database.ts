import { everything } from '../store/derive-scope.ts';
import type { Session } from '../store/postgres/connection.ts';
import { FindingEnds } from '../store/postgres/finding-ends.ts';
import { madeAnew, writeMade } from '../store/postgres/made-anew.ts';
import { nextRecords } from '../store/postgres/next-records.ts';

/**
 * Makes of the texts of the records behind one, as many as are read together, what they are found by and what is wrong with
 * them; answers the last of them, and how many there were. Belongs into a transaction of the caller's. A record whose text is
 * damaged keeps what it came with.
 */
export async function deriveBehind(
  session: Session,
  record: number,
): Promise<{ readonly last: number; readonly records: number }> {
  const now = Date.now();
  const where = 'r.pk > $1::bigint';
  const { records } = await nextRecords(session, { where, by: 'pk', values: [record] });
  const made = await madeAnew(records, () => everything, { now, milliseconds: Infinity });
  const ends = new FindingEnds();
  await writeMade({ session, ends }, made, now);
  await ends.write(session);
  return { last: records.at(-1)?.record ?? record, records: records.length };
}
