/**
 * Writes the issues of records in PostgreSQL. An issue is a row of the index. A finding is an issue that keeps its identity
 * over versions, and a user can set its state.
 */
import type { FindingMove, IssueRow } from '../../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { replaceNulCharacters, type Session } from './connection.ts';
import { createPointerMapper } from '../../store/finding-moves.ts';
import type { Value } from '../../store/sql.ts';
import type { FindingEndCounter } from './finding-ends.ts';
import { toColumns } from './version-rows.ts';

/** A stored issue with its number within the record. */
export type ExistingIssue = readonly [
  ordinal: number,
  ...issue: [IssueRow['rule'], IssueRow['severity'], IssueRow['category'], IssueRow['pointer']],
];

/** The existing issues of a record, and the issues that it should have. */
export interface IssueComparison {
  readonly record: number;
  readonly type: ResourceType;
  readonly existing: readonly ExistingIssue[];
  readonly expected: readonly IssueRow[];
  /** Moves of the findings' elements, if a new version of the record changed the issues. */
  readonly moves?: readonly FindingMove[];
}

/** SQL of the existing issues of a record `r` as JSON: `[[ordinal, rule, severity, category, pointer]]`. */
export const existingIssuesSql = `(SELECT coalesce(json_agg(
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
  return { rule: replaceNulCharacters(rule), severity, category, pointer: replaceNulCharacters(pointer) };
}

/** Returns true if the existing issues are the expected ones, in any order. */
export function haveSameIssues({
  existing,
  expected,
}: Pick<IssueComparison, 'existing' | 'expected'>): boolean {
  const serialize = (issues: readonly IssueRow[]) =>
    issues
      .map((issue) => JSON.stringify(issue))
      .sort()
      .join();
  return serialize(existing.map(issueRow)) === serialize(expected.map(toStoredForm));
}

type OpenedIssue = readonly [record: number, ordinal: number, issue: IssueRow];
type ChangedIssue = readonly [record: number, previousOrdinal: number, nextOrdinal: number, issue: IssueRow];

interface IssueChanges {
  readonly closedRows: (readonly [record: number, ordinal: number])[];
  readonly changedRows: ChangedIssue[];
  readonly openedRows: OpenedIssue[];
}

/** Returns true if the existing row of a finding differs from the expected one. */
function isChanged(
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
 * Adds the changes of one record. A finding is identified by its rule and by the current pointer of its element. Equal
 * findings are matched in order.
 */
function addChanges(
  { record, existing, expected, moves = [] }: IssueComparison,
  { closedRows, changedRows, openedRows }: IssueChanges,
): void {
  const getNextPointer = createPointerMapper(moves);
  const remaining = existing.map((row) => {
    const [ordinal, rule, , , pointer] = row;
    return { row, ordinal, rule, nextPointer: getNextPointer(rule, pointer) };
  });
  for (const [ordinal, issue] of expected.map(toStoredForm).entries()) {
    const index = remaining.findIndex(
      ({ rule, nextPointer }) => rule === issue.rule && nextPointer === issue.pointer,
    );
    const [match] = index === -1 ? [] : remaining.splice(index, 1);
    if (!match) openedRows.push([record, ordinal, issue]);
    else if (isChanged(match.row, ordinal, issue)) changedRows.push([record, match.ordinal, ordinal, issue]);
  }
  closedRows.push(...remaining.map(({ ordinal }) => [record, ordinal] as const));
}

const deleteIssuesSql = `DELETE FROM issue i USING unnest($1::bigint[], $2::integer[]) w(record, ordinal)
  WHERE i.record = w.record AND i.ordinal = w.ordinal RETURNING i.record, i.since, i.rule`;

const deleteOrphanedStatesSql = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND NOT EXISTS (
  SELECT 1 FROM issue i WHERE i.record = s.record AND i.rule = s.rule AND i.pointer = s.pointer)`;

// First makes the ordinals negative, so that no two rows have the same ordinal while the rows are updated.
const negateOrdinalsSql = `UPDATE issue i SET ordinal = -1 - i.ordinal
  FROM unnest($1::bigint[], $2::integer[]) w(record, previous_ordinal)
  WHERE i.record = w.record AND i.ordinal = w.previous_ordinal`;

const updateIssuesSql = `UPDATE issue i SET ordinal = w.ordinal, severity = w.severity, category = w.category, pointer = w.pointer
  FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[])
    w(record, previous_ordinal, ordinal, severity, category, pointer)
  WHERE i.record = w.record AND i.ordinal = -1 - w.previous_ordinal`;

const insertIssuesSql = `INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT w.*, $7::integer FROM
    unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[]) w`;

const deleteStatesOfRemovedElementsSql = `DELETE FROM finding_state s USING unnest($1::bigint[], $2::text[], $3::text[]) w(record, rule, pointer)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.pointer`;

// First marks the moved states with a prefix, because another state may use the pointer until it moves.
const markMovedStatesSql = `UPDATE finding_state s SET pointer = '>' || w.next_pointer
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) w(record, rule, previous_pointer, next_pointer)
  WHERE s.record = w.record AND s.rule = w.rule AND s.pointer = w.previous_pointer RETURNING 1`;

// Another state at the target pointer was set while the next version was being saved. The moved state replaces it.
const deleteReplacedStatesSql = `DELETE FROM finding_state s WHERE s.record = ANY ($1::bigint[]) AND EXISTS (
  SELECT 1 FROM finding_state o WHERE o.record = s.record AND o.rule = s.rule AND o.pointer = '>' || s.pointer)`;

const unmarkMovedStatesSql = `UPDATE finding_state SET pointer = substr(pointer, 2)
  WHERE record = ANY ($1::bigint[]) AND pointer LIKE '>%'`;

/** Moves states of findings to the pointers of their elements in the next version. */
async function moveStates(session: Session, diffs: readonly IssueComparison[]): Promise<void> {
  const statesOfRemovedElements: (readonly Value[])[] = [];
  const movedStates: (readonly Value[])[] = [];
  for (const { record, moves = [] } of diffs) {
    for (const { rule, previousPointer, nextPointer } of moves) {
      if (nextPointer === undefined) statesOfRemovedElements.push([record, rule, previousPointer]);
      else movedStates.push([record, rule, previousPointer, nextPointer]);
    }
  }
  if (statesOfRemovedElements.length > 0)
    await session.rows({
      text: deleteStatesOfRemovedElementsSql,
      values: toColumns(statesOfRemovedElements, 3),
    });
  if (movedStates.length === 0) return;
  if ((await session.rows({ text: markMovedStatesSql, values: toColumns(movedStates, 4) })).length === 0)
    return;
  const records = [[...new Set(diffs.map(({ record }) => record))]];
  await session.rows({ text: deleteReplacedStatesSql, values: records });
  await session.rows({ text: unmarkMovedStatesSql, values: records });
}

/**
 * Makes the existing issues of records match the expected ones. Findings open and close on `day`, a number of days since
 * 1970. Call it in the transaction that read the issues, with the rows of the records locked.
 */
export async function reconcileIssues(
  {
    session,
    findingEndCounter,
  }: { readonly session: Session; readonly findingEndCounter: FindingEndCounter },
  diffs: readonly IssueComparison[],
  day: number,
): Promise<void> {
  const changes: IssueChanges = { closedRows: [], changedRows: [], openedRows: [] };
  for (const diff of diffs) addChanges(diff, changes);
  const { closedRows, changedRows, openedRows } = changes;
  await moveStates(session, diffs);
  if (closedRows.length > 0) {
    const deletedIssues = await session.rows({ text: deleteIssuesSql, values: toColumns(closedRows, 2) });
    const types = new Map(diffs.map(({ record, type }) => [record, type]));
    for (const [record, since, rule] of deletedIssues) {
      const type = types.get(Number(record));
      if (type) findingEndCounter.add(day, Number(since), String(rule), type);
    }
  }
  if (changedRows.length > 0) {
    const rows = changedRows.map(
      ([record, previousOrdinal, nextOrdinal, { severity, category, pointer }]) => [
        record,
        previousOrdinal,
        nextOrdinal,
        severity,
        category,
        pointer,
      ],
    );
    await session.rows({ text: negateOrdinalsSql, values: toColumns(rows, 2) });
    await session.rows({ text: updateIssuesSql, values: toColumns(rows, 6) });
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
    await session.rows({ text: insertIssuesSql, values: [...toColumns(rows, 6), day] });
  }
  // States are deleted last, when all issues have their final pointer.
  const records = [...new Set(closedRows.map(([record]) => record))];
  if (records.length > 0) await session.rows({ text: deleteOrphanedStatesSql, values: [records] });
}
