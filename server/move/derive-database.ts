/** Makes of the texts in PostgreSQL what records are found by, and what is wrong with them, as a create does. */
import { dayNumber } from '../../core/app/days.ts';
import { carried, dayOf, derive, type Derived } from '../../core/derive/derive.ts';
import type { IndexRows } from '../../core/fhir/index-rows.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { isSound } from '../store/checksum.ts';
import type { Session } from '../store/postgres/connection.ts';
import { FindingEnds } from '../store/postgres/finding-ends.ts';
import {
  issueRow,
  mendIssues,
  readStanding,
  standingIssues,
  type StandingIssue,
} from '../store/postgres/issue-writer.ts';
import { textColumns } from '../store/postgres/texts.ts';
import { indexTables, type IndexTable } from '../store/postgres/version-rows.ts';
import { objectIn } from '../store/derive-scope.ts';
import type { Value } from '../store/statements.ts';
import { batch, bounded } from './bounded.ts';
import { insertRows, insertText } from './plain-rows.ts';

const recordsBehind = `(SELECT r.pk AS record, v.type, v.body, v.sha256
  FROM (SELECT pk, current FROM record WHERE pk > $1::bigint ORDER BY pk LIMIT ${batch.rows}) r
  JOIN version v ON v.pk = r.current) v`;

const nextText = `SELECT v.record, v.type, ${textColumns}, ${standingIssues}
  FROM ${bounded(recordsBehind, 'record')} v JOIN record r ON r.pk = v.record ORDER BY v.record`;

const judgeText = `UPDATE record r SET judge_again = w.day FROM unnest($1::bigint[], $2::bigint[]) w(pk, day)
  WHERE r.pk = w.pk AND r.judge_again IS DISTINCT FROM w.day`;

/** A record whose text can be read. */
interface Made extends Derived {
  readonly record: number;
  readonly type: ResourceType;
  /** Its findings as they stand. */
  readonly standing: readonly StandingIssue[];
}

/**
 * Makes the rows of the records behind one, as many as are read together; answers the last of them, and how many there
 * were. Belongs into a transaction of the caller's.
 */
export async function deriveBehind(
  session: Session,
  record: number,
): Promise<{ readonly last: number; readonly records: number }> {
  const now = Date.now();
  const rows = await session.rows({ text: nextText, values: [record] });
  const made = rows.flatMap((row) => madeOf(row, dayOf(now)));
  await writeIndex(session, made);
  const days = [made.map((one) => one.record), made.map(({ judgeAgain = null }) => judgeAgain)];
  await session.rows({ text: judgeText, values: days });
  const ends = new FindingEnds();
  const turns = made.map(({ issues: wanted, ...turn }) => ({ ...turn, wanted }));
  await mendIssues({ session, ends }, turns, dayNumber(now));
  await ends.write(session);
  return { last: Number(rows.at(-1)?.[0] ?? record), records: rows.length };
}

/** One whose text is damaged keeps what it came with. */
function madeOf([record, of, text, sum, json]: readonly Value[], today: string): Made[] {
  const bytes = Buffer.from(String(text));
  const root = isSound(bytes, sum) ? objectIn(bytes.toString()) : undefined;
  if (!root) return [];
  const type = String(of) as ResourceType;
  const derived = derive(type, root, { today });
  const standing = readStanding(json);
  const issues = [...derived.issues, ...carried(standing.map(issueRow))];
  return [{ ...derived, issues, type, record: Number(record), standing }];
}

async function writeIndex(session: Session, made: readonly Made[]): Promise<void> {
  const records = made.map(({ record }) => record);
  for (const table of indexTables) {
    const { name, columns } = table;
    const drop = `DELETE FROM ${name} WHERE record = ANY ($1::bigint[])`;
    await session.rows({ text: drop, values: [records] });
    const types = ['record bigint', ...columns.map((column) => column.join(' '))];
    const rows = made.flatMap(({ record, index }) => distinct(table, index).map((row) => [record, ...row]));
    await insertRows(session, insertText(name, types), rows);
  }
}

/** Rows are a set. */
function distinct({ rows }: IndexTable, index: IndexRows): Value[][] {
  return [...new Map(rows(index).map((row) => [JSON.stringify(row), row])).values()];
}
