import type { FindingMove, IssueRow } from '../../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { withoutZero, type Session } from './connection.ts';
import { placesAfter } from '../finding-moves.ts';
import type { Value } from '../sql.ts';
import type { FindingEnds } from './finding-ends.ts';
import { listsOf } from './version-rows.ts';

/** An issue as it stands: its number within the record, and what it says. */
export type StandingIssue = readonly [
  ordinal: number,
  ...issue: [IssueRow['rule'], IssueRow['severity'], IssueRow['category'], IssueRow['pointer']],
];

/** What becomes of a record's issues. */
export interface IssueTurn {
  readonly record: number;
  readonly type: ResourceType;
  readonly standing: readonly StandingIssue[];
  readonly wanted: readonly IssueRow[];
  /** What becomes of those that stand, if another version is why they change. */
  readonly moves?: readonly FindingMove[];
}

/** The issues of a record `r` as they stand, as JSON: `[[ordinal, rule, severity, category, pointer]]`. */
export const standingIssues = `(SELECT coalesce(json_agg(
  json_build_array(i.ordinal, i.rule, i.severity, i.category, i.pointer) ORDER BY i.ordinal), '[]')::text
  FROM issue i WHERE i.record = r.pk)`;

export function readStanding(json: unknown): readonly StandingIssue[] {
  return JSON.parse(String(json)) as StandingIssue[];
}

export function issueRow([, rule, severity, category, pointer]: StandingIssue): IssueRow {
  return { rule, severity, category, pointer };
}

/** As it comes back. */
function asKept({ rule, severity, category, pointer }: IssueRow): IssueRow {
  return { rule: withoutZero(rule), severity, category, pointer: withoutZero(pointer) };
}

/** Whether the same issues stand there, in whatever order. */
export function sameIssues({ standing, wanted }: Pick<IssueTurn, 'standing' | 'wanted'>): boolean {
  const textOf = (issues: readonly IssueRow[]) =>
    issues
      .map((one) => JSON.stringify(one))
      .sort()
      .join();
  return textOf(standing.map(issueRow)) === textOf(wanted.map(asKept));
}

type Begun = readonly [record: number, ordinal: number, issue: IssueRow];
type Moved = readonly [record: number, from: number, to: number, issue: IssueRow];

interface Differences {
  readonly ended: (readonly [record: number, ordinal: number])[];
  readonly moved: Moved[];
  readonly begun: Begun[];
}

/** True if two rows of one finding differ. */
function differ(
  [ordinal, , severity, category, pointer]: StandingIssue,
  at: number,
  issue: IssueRow,
): boolean {
  return (
    ordinal !== at || severity !== issue.severity || category !== issue.category || pointer !== issue.pointer
  );
}

/** A finding is its rule and the place that its element has now; of several alike, the first stays the first. */
function note(
  { record, standing, wanted, moves = [] }: IssueTurn,
  { ended, moved, begun }: Differences,
): void {
  const placeAfter = placesAfter(moves);
  const left = standing.map((row) => ({ row, place: placeAfter(row[1], row[4]) }));
  for (const [ordinal, issue] of wanted.map(asKept).entries()) {
    const at = left.findIndex(({ row, place }) => row[1] === issue.rule && place === issue.pointer);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (!found) begun.push([record, ordinal, issue]);
    else if (differ(found.row, ordinal, issue)) moved.push([record, found.row[0], ordinal, issue]);
  }
  ended.push(...left.map(({ row }) => [record, row[0]] as const));
}

const end = `DELETE FROM issue i USING unnest($1::bigint[], $2::integer[]) w(record, ordinal)
  WHERE i.record = w.record AND i.ordinal = w.ordinal RETURNING i.record, i.since, i.rule`;

const dropEnded = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND NOT EXISTS (
  SELECT 1 FROM issue i WHERE i.record = s.record AND i.rule = s.rule AND i.pointer = s.pointer)`;

// Out of the way first: a number may be another's until the statement ends.
const lift = `UPDATE issue i SET ordinal = -1 - i.ordinal
  FROM unnest($1::bigint[], $2::integer[]) w(record, was) WHERE i.record = w.record AND i.ordinal = w.was`;

const settle = `UPDATE issue i SET ordinal = w.ordinal, severity = w.severity, category = w.category, pointer = w.pointer
  FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[])
    w(record, was, ordinal, severity, category, pointer)
  WHERE i.record = w.record AND i.ordinal = -1 - w.was`;

const begin = `INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT w.*, $7::integer FROM
    unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) w`;

const endStates = `DELETE FROM finding_state s USING unnest($1::bigint[], $2::text[], $3::text[]) w(record, rule, was)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.was`;

// Out of the way first, under what is no pointer: its place may be another's until that one moves.
const liftStates = `UPDATE finding_state s SET pointer = '>' || w.pointer
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) w(record, rule, was, pointer)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.was RETURNING 1`;

// A state of a finding that was found while the next version was made has no move: it yields.
const yieldStates = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND EXISTS (
  SELECT 1 FROM finding_state o WHERE o.record = s.record AND o.rule = s.rule AND o.pointer = '>' || s.pointer)`;

const settleStates = `UPDATE finding_state SET pointer = substr(pointer, 2)
  WHERE record = ANY ($1::bigint[]) AND pointer LIKE '>%'`;

/** Moves what people said of findings to the places that their elements have in the next version. */
async function moveStates(session: Session, turns: readonly IssueTurn[]): Promise<void> {
  const ended: (readonly Value[])[] = [];
  const moved: (readonly Value[])[] = [];
  for (const { record, moves = [] } of turns) {
    for (const { rule, from, to } of moves) {
      if (to === undefined) ended.push([record, rule, from]);
      else moved.push([record, rule, from, to]);
    }
  }
  if (ended.length > 0) await session.rows({ text: endStates, values: listsOf(ended, 3) });
  if (moved.length === 0) return;
  if ((await session.rows({ text: liftStates, values: listsOf(moved, 4) })).length === 0) return;
  const records = [[...new Set(turns.map(({ record }) => record))]];
  await session.rows({ text: yieldStates, values: records });
  await session.rows({ text: settleStates, values: records });
}

/**
 * Turns the issues of records that stand into those that are wanted; findings begin and end on the day. Belongs into the
 * transaction in which they were read, the records' rows locked.
 */
export async function mendIssues(
  { session, ends }: { readonly session: Session; readonly ends: FindingEnds },
  turns: readonly IssueTurn[],
  day: number,
): Promise<void> {
  const differences: Differences = { ended: [], moved: [], begun: [] };
  for (const turn of turns) note(turn, differences);
  const { ended, moved, begun } = differences;
  await moveStates(session, turns);
  if (ended.length > 0) {
    const gone = await session.rows({ text: end, values: listsOf(ended, 2) });
    const types = new Map(turns.map(({ record, type }) => [record, type]));
    for (const [record, since, rule] of gone) {
      const type = types.get(Number(record));
      if (type) ends.add(day, Number(since), String(rule), type);
    }
  }
  if (moved.length > 0) {
    const rows = moved.map(([record, was, now, { severity, category, pointer }]) => [
      ...[record, was, now, severity, category, pointer],
    ]);
    await session.rows({ text: lift, values: listsOf(rows, 2) });
    await session.rows({ text: settle, values: listsOf(rows, 6) });
  }
  if (begun.length > 0) {
    const rows = begun.map(([record, ordinal, { rule, severity, category, pointer }]) => [
      ...[record, ordinal, rule, severity, category, pointer],
    ]);
    await session.rows({ text: begin, values: [...listsOf(rows, 6), day] });
  }
  // Once each row stands where its finding does.
  const records = [...new Set(ended.map(([record]) => record))];
  if (records.length > 0) await session.rows({ text: dropEnded, values: [records] });
}
