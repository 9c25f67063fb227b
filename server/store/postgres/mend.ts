import { dayNumber } from '../../../core/app/days.ts';
import type { DerivedStore } from '../derived.ts';
import type { Postgres } from './connection.ts';
import { mendIssues } from './issue-writer.ts';
import { standingIssues } from './write-statements.ts';
import type { Writes } from './writes.ts';

const readText = `SELECT ${standingIssues}, r.judge_again FROM record r
  WHERE r.type = $1 AND r.id = $2 AND r.version = $3::integer`;

const writeText = `UPDATE record r SET judge_again = $4::bigint
  WHERE r.type = $1 AND r.id = $2 AND r.version = $3::integer RETURNING r.pk, ${standingIssues}`;

/** Turns the findings of a version that stays into those that it gives on this day; who finds them so writes nothing. */
export async function mend(
  database: Postgres,
  writes: Writes,
  ...[type, id, version, { issues: wanted, judgeAgain }, now]: Parameters<DerivedStore['mend']>
): Promise<void> {
  const named = [type, id, version];
  const [row] = await database.rows({ text: readText, values: named });
  if (!row) return;
  const asWanted = wanted.map(({ rule, severity, category, pointer }, at) => [
    ...[at, rule, severity, category, pointer],
  ]);
  const stands = JSON.stringify(JSON.parse(String(row[0]))) === JSON.stringify(asWanted);
  if (stands && row[1] === (judgeAgain ?? null)) return;
  await writes.add(async ({ session }) => {
    const [found] = await session.rows({ text: writeText, values: [...named, judgeAgain ?? null] });
    if (found) await mendIssues(session, Number(found[0]), String(found[1]), { wanted, day: dayNumber(now) });
  });
}
