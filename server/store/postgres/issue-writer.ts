import type { FindingMove, IssueRow } from '../../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { withoutZero, type Session } from './connection.ts';
import { placesAfter } from '../finding-moves.ts';
import type { Value } from '../sql.ts';
import type { FindingEnds } from './finding-ends.ts';
import { listsOf } from './version-rows.ts';

/** A stored issue with its number within the record. */
export type ExistingIssue = readonly [
  ordinal: number,
  ...issue: [IssueRow['rule'], IssueRow['severity'], IssueRow['category'], IssueRow['pointer']],
];

/** Change of a record's issues. */
export interface IssueDiff {
  readonly record: number;
  readonly type: ResourceType;
  readonly existing: readonly ExistingIssue[];
  readonly expected: readonly IssueRow[];
  /** Moves of existing findings, if a new version is the reason. */
  readonly moves?: readonly FindingMove[];
}

/** SQL of the existing issues of a record `r` as JSON: `[[ordinal, rule, severity, category, pointer]]`. */
export const listExistingIssues = `(SELECT coalesce(json_agg(
  json_build_array(i.ordinal, i.rule, i.severity, i.category, i.pointer) ORDER BY i.ordinal), '[]')::text
  FROM issue i WHERE i.record = r.pk)`;

export function readExisting(json: unknown): readonly ExistingIssue[] {
  return JSON.parse(String(json)) as ExistingIssue[];
}

export function issueRow([, rule, severity, category, pointer]: ExistingIssue): IssueRow {
  return { rule, severity, category, pointer };
}

/** Replaces U+0000, which the database cannot store. */
function toStoredForm({ rule, severity, category, pointer }: IssueRow): IssueRow {
  return { rule: withoutZero(rule), severity, category, pointer: withoutZero(pointer) };
}

/** Returns true if the existing issues are the expected ones, in any order. */
export function sameIssues({ existing, expected }: Pick<IssueDiff, 'existing' | 'expected'>): boolean {
  const textOf = (issues: readonly IssueRow[]) =>
    issues
      .map((issue) => JSON.stringify(issue))
      .sort()
      .join();
  return textOf(existing.map(issueRow)) === textOf(expected.map(toStoredForm));
}

type OpenedFinding = readonly [record: number, ordinal: number, issue: IssueRow];
type MovedFinding = readonly [record: number, from: number, to: number, issue: IssueRow];

interface Differences {
  readonly endedRows: (readonly [record: number, ordinal: number])[];
  readonly movedRows: MovedFinding[];
  readonly openedRows: OpenedFinding[];
}

/** True if two rows of one finding differ. */
function differ(
  [ordinal, , severity, category, pointer]: ExistingIssue,
  expectedOrdinal: number,
  issue: IssueRow,
): boolean {
  return (
    ordinal !== expectedOrdinal ||
    severity !== issue.severity ||
    category !== issue.category ||
    pointer !== issue.pointer
  );
}

/**
 * Adds the differences of one record. A finding is identified by its rule and by the current pointer of its
 * element. Of several equal findings, the first stays first.
 */
function addDifferences(
  { record, existing, expected, moves = [] }: IssueDiff,
  { endedRows, movedRows, openedRows }: Differences,
): void {
  const placeAfter = placesAfter(moves);
  const remaining = existing.map((row) => ({ row, pointer: placeAfter(row[1], row[4]) }));
  for (const [ordinal, issue] of expected.map(toStoredForm).entries()) {
    const index = remaining.findIndex(
      ({ row, pointer }) => row[1] === issue.rule && pointer === issue.pointer,
    );
    const [match] = index === -1 ? [] : remaining.splice(index, 1);
    if (!match) openedRows.push([record, ordinal, issue]);
    else if (differ(match.row, ordinal, issue)) movedRows.push([record, match.row[0], ordinal, issue]);
  }
  endedRows.push(...remaining.map(({ row }) => [record, row[0]] as const));
}

const deleteText = `DELETE FROM issue i USING unnest($1::bigint[], $2::integer[]) w(record, ordinal)
  WHERE i.record = w.record AND i.ordinal = w.ordinal RETURNING i.record, i.since, i.rule`;

const deleteEndedStates = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND NOT EXISTS (
  SELECT 1 FROM issue i WHERE i.record = s.record AND i.rule = s.rule AND i.pointer = s.pointer)`;

// Sets a negative ordinal first, because another row may use the number until the statement ends.
const liftText = `UPDATE issue i SET ordinal = -1 - i.ordinal
  FROM unnest($1::bigint[], $2::integer[]) w(record, was) WHERE i.record = w.record AND i.ordinal = w.was`;

const updateText = `UPDATE issue i SET ordinal = w.ordinal, severity = w.severity, category = w.category, pointer = w.pointer
  FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[])
    w(record, was, ordinal, severity, category, pointer)
  WHERE i.record = w.record AND i.ordinal = -1 - w.was`;

const insertText = `INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT w.*, $7::integer FROM
    unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) w`;

const endStates = `DELETE FROM finding_state s USING unnest($1::bigint[], $2::text[], $3::text[]) w(record, rule, was)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.was`;

// Sets a prefix first, because another state may use the pointer until it moves.
const liftStates = `UPDATE finding_state s SET pointer = '>' || w.pointer
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) w(record, rule, was, pointer)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.was RETURNING 1`;

// A state without a move was set while the next version was made. It is removed.
const yieldStates = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND EXISTS (
  SELECT 1 FROM finding_state o WHERE o.record = s.record AND o.rule = s.rule AND o.pointer = '>' || s.pointer)`;

const settleStates = `UPDATE finding_state SET pointer = substr(pointer, 2)
  WHERE record = ANY ($1::bigint[]) AND pointer LIKE '>%'`;

/** Moves states of findings to the pointers of their elements in the next version. */
async function moveStates(session: Session, diffs: readonly IssueDiff[]): Promise<void> {
  const endedStates: (readonly Value[])[] = [];
  const movedStates: (readonly Value[])[] = [];
  for (const { record, moves = [] } of diffs) {
    for (const { rule, previousPointer, nextPointer } of moves) {
      if (nextPointer === undefined) endedStates.push([record, rule, previousPointer]);
      else movedStates.push([record, rule, previousPointer, nextPointer]);
    }
  }
  if (endedStates.length > 0) await session.rows({ text: endStates, values: listsOf(endedStates, 3) });
  if (movedStates.length === 0) return;
  if ((await session.rows({ text: liftStates, values: listsOf(movedStates, 4) })).length === 0) return;
  const records = [[...new Set(diffs.map(({ record }) => record))]];
  await session.rows({ text: yieldStates, values: records });
  await session.rows({ text: settleStates, values: records });
}

/**
 * Makes the existing issues of records match the expected ones. Findings open and close on `day`. Call it in
 * the transaction that read them, with the rows of the records locked.
 */
export async function reconcileIssues(
  { session, findingEnds }: { readonly session: Session; readonly findingEnds: FindingEnds },
  diffs: readonly IssueDiff[],
  day: number,
): Promise<void> {
  const differences: Differences = { endedRows: [], movedRows: [], openedRows: [] };
  for (const diff of diffs) addDifferences(diff, differences);
  const { endedRows, movedRows, openedRows } = differences;
  await moveStates(session, diffs);
  if (endedRows.length > 0) {
    const deletedIssues = await session.rows({ text: deleteText, values: listsOf(endedRows, 2) });
    const types = new Map(diffs.map(({ record, type }) => [record, type]));
    for (const [record, since, rule] of deletedIssues) {
      const type = types.get(Number(record));
      if (type) findingEnds.add(day, Number(since), String(rule), type);
    }
  }
  if (movedRows.length > 0) {
    const rows = movedRows.map(([record, previousOrdinal, nextOrdinal, { severity, category, pointer }]) => [
      record,
      previousOrdinal,
      nextOrdinal,
      severity,
      category,
      pointer,
    ]);
    await session.rows({ text: liftText, values: listsOf(rows, 2) });
    await session.rows({ text: updateText, values: listsOf(rows, 6) });
  }
  if (openedRows.length > 0) {
    const rows = openedRows.map(([record, ordinal, { rule, severity, category, pointer }]) => [
      record,
      ordinal,
      rule,
      severity,
      category,
      pointer,
    ]);
    await session.rows({ text: insertText, values: [...listsOf(rows, 6), day] });
  }
  // States are deleted last, when all issues have their final pointer.
  const records = [...new Set(endedRows.map(([record]) => record))];
  if (records.length > 0) await session.rows({ text: deleteEndedStates, values: [records] });
}
