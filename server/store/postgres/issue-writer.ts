import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { withoutZero, type Session } from './connection.ts';
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

/** A finding is its rule and its place; of several alike, the first stays the first. */
function note({ record, standing, wanted }: IssueTurn, { ended, moved, begun }: Differences): void {
  const left = [...standing];
  for (const [ordinal, issue] of wanted.map(asKept).entries()) {
    const at = left.findIndex(([, rule, , , pointer]) => rule === issue.rule && pointer === issue.pointer);
    const [found] = at === -1 ? [] : left.splice(at, 1);
    if (!found) begun.push([record, ordinal, issue]);
    else if (found[0] !== ordinal || found[2] !== issue.severity || found[3] !== issue.category)
      moved.push([record, found[0], ordinal, issue]);
  }
  ended.push(...left.map(([ordinal]) => [record, ordinal] as const));
}

const end = `DELETE FROM issue i USING unnest($1::bigint[], $2::integer[]) w(record, ordinal)
  WHERE i.record = w.record AND i.ordinal = w.ordinal RETURNING i.record, i.since, i.rule`;

const dropEnded = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND NOT EXISTS (
  SELECT 1 FROM issue i WHERE i.record = s.record AND i.rule = s.rule AND i.pointer = s.pointer)`;

// Out of the way first: a number may be another's until the statement ends.
const lift = `UPDATE issue i SET ordinal = -1 - i.ordinal
  FROM unnest($1::bigint[], $2::integer[]) w(record, was) WHERE i.record = w.record AND i.ordinal = w.was`;

const settle = `UPDATE issue i SET ordinal = w.ordinal, severity = w.severity, category = w.category
  FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[])
    w(record, was, ordinal, severity, category)
  WHERE i.record = w.record AND i.ordinal = -1 - w.was`;

const begin = `INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT w.*, $7::integer FROM
    unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) w`;

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
  if (ended.length > 0) {
    const gone = await session.rows({ text: end, values: listsOf(ended, 2) });
    const types = new Map(turns.map(({ record, type }) => [record, type]));
    for (const [record, since, rule] of gone) {
      const type = types.get(Number(record));
      if (type) ends.add(day, Number(since), String(rule), type);
    }
    await session.rows({ text: dropEnded, values: [[...new Set(ended.map(([record]) => record))]] });
  }
  if (moved.length > 0) {
    const rows = moved.map(([record, was, now, { severity, category }]) => [
      ...[record, was, now, severity, category],
    ]);
    await session.rows({ text: lift, values: listsOf(rows, 2) });
    await session.rows({ text: settle, values: listsOf(rows, 5) });
  }
  if (begun.length > 0) {
    const rows = begun.map(([record, ordinal, { rule, severity, category, pointer }]) => [
      ...[record, ordinal, rule, severity, category, pointer],
    ]);
    await session.rows({ text: begin, values: [...listsOf(rows, 6), day] });
  }
}
