/**
 * Changes the rows that describe records while their versions stay. Called for derived rows, for results of
 * checks and for findings between records.
 *
 * Invariant: rows change under the lock of their record, and only if it still has the same version. A record
 * whose rows already match is not touched.
 */
import type { DerivedRows, IndexRows } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { keyNumber } from '../../../core/fhir/search-parameters.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { indexTables, type TypeScope } from '../../store/index-tables.ts';
import { replaceNulCharacters, type Session, type SqlParameter } from './connection.ts';
import {
  issueRow,
  reconcileIssues,
  readExisting,
  haveSameIssues,
  existingIssuesSql,
  type ExistingIssue,
} from './issue-writer.ts';
import { toColumns, distinct, placeholders, type IndexTable } from './version-rows.ts';
import type { RowWriteContext } from './writes.ts';
import { columnNames } from '../../store/sql.ts';

/** Expected rows of a record at a version. */
export interface Target {
  readonly record: number;
  /** Primary key of the version's row. */
  readonly current: number;
  /** Returns the expected rows, given the existing issues. Without `revalidateAtMs` the stored time stays. */
  readonly expect: (existing: readonly IssueRow[]) => ExpectedRows;
}

export type ExpectedRows = Omit<DerivedRows, 'revalidateAtMs'> & { readonly revalidateAtMs?: number | null };

/** The rows to reconcile, of records of one type. */
export interface Scope extends Pick<TypeScope, 'index' | 'sort' | 'issues' | 'keys'> {
  readonly type: ResourceType;
}

type Columns = readonly [revalidateAtMs: number | null, date: number, status: string, title: string];

interface ExistingRows {
  readonly columns: Columns;
  readonly existingIssues: readonly ExistingIssue[];
}

/** Existing and expected rows of a record. */
interface Turn extends ExistingRows {
  readonly record: number;
  readonly current: number;
  readonly target: Target;
  readonly expected: ExpectedRows;
  readonly nextColumns: Columns;
}

const readSql = `SELECT r.pk, r.judge_again, r.sort_date, r.status, r.title, ${existingIssuesSql}
  FROM record r WHERE r.pk = ANY ($1::bigint[])`;

// All writers acquire these locks in this order.
const lockSql = `SELECT r.pk FROM unnest($1::bigint[], $2::bigint[]) w(pk, current)
  JOIN record r ON r.pk = w.pk AND r.current = w.current ORDER BY r.type, r.id FOR NO KEY UPDATE OF r`;

// Updates every record, changed or not. A write that waits for the lock then starts again
// (version-writes.ts).
const setSql = `UPDATE record r SET judge_again = w.judge_again, sort_date = w.sort_date, status = w.status, title = w.title
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
    w(pk, judge_again, sort_date, status, title) WHERE r.pk = w.pk`;

// Only current versions: a page cursor older than this change never meets previous versions.
const setVersionSql = `UPDATE version v SET sort_date = w.sort_date, status = w.status, title = w.title
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) w(pk, sort_date, status, title) WHERE v.pk = w.pk`;

/** Returns the targets of a type whose rows differ from the expected ones. */
export async function findDiffering(
  session: Session,
  scope: Scope,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const diffs = await readDiffs(session, scope, targets);
  const differingRecords = scope.index
    ? await differingIndex(session, diffs.map(indexOf), numbersOf(scope))
    : new Set<number>();
  return diffs.flatMap((diff) =>
    differingRecords.has(diff.record) || differs(scope, diff) ? diff.target : [],
  );
}

/** Reconciles records of a type. Findings open and close on `day`. Returns the changed records. */
export async function reconcileRecords(
  context: RowWriteContext,
  scope: Scope,
  targets: readonly Target[],
  day: number,
): Promise<readonly number[]> {
  const { session } = context;
  const candidates = await findDiffering(session, scope, targets);
  if (candidates.length === 0) return [];
  const pairs = candidates.map(({ record, current }) => [record, current]);
  const locked = await session.rows({ text: lockSql, values: toColumns(pairs, 2) });
  const lockedRecords = new Set(locked.map(([record]) => Number(record)));
  // Read again under the lock: rows may have changed.
  const diffs = await readDiffs(
    session,
    scope,
    candidates.filter(({ record }) => lockedRecords.has(record)),
  );
  if (scope.index) await reconcileIndex(session, diffs.map(indexOf), numbersOf(scope));
  await setColumns(session, diffs);
  if (scope.issues) {
    const issues = diffs
      .map(({ record, existingIssues, expected }) => ({
        record,
        type: scope.type,
        existing: existingIssues,
        expected: expected.issues,
      }))
      .filter((diff) => !haveSameIssues(diff));
    await reconcileIssues(context, issues, day);
  }
  return diffs.map(({ record }) => record);
}

async function readDiffs(session: Session, scope: Scope, targets: readonly Target[]): Promise<Turn[]> {
  if (targets.length === 0) return [];
  const rows = await session.rows({ text: readSql, values: [targets.map(({ record }) => record)] });
  const existingByRecord = new Map(
    rows.map(([record, revalidateAtMs, date, status, title, issues]): [number, ExistingRows] => [
      Number(record),
      {
        columns: [
          revalidateAtMs === null ? null : Number(revalidateAtMs),
          Number(date),
          String(status),
          String(title),
        ],
        existingIssues: readExisting(issues),
      },
    ]),
  );
  return targets.flatMap((target) => {
    const existing = existingByRecord.get(target.record);
    if (!existing) return [];
    const expected = target.expect(existing.existingIssues.map(issueRow));
    const { record, current } = target;
    return {
      ...existing,
      record,
      current,
      target,
      expected,
      nextColumns: columnsOf(scope, expected, existing.columns),
    };
  });
}

function columnsOf(scope: Scope, { revalidateAtMs, index }: ExpectedRows, existingColumns: Columns): Columns {
  const [existingTime, ...sort] = existingColumns;
  const nextTime = revalidateAtMs === undefined ? existingTime : revalidateAtMs;
  if (!scope.sort) return [nextTime, ...sort];
  const { date, status, title } = index.sort;
  return [nextTime, date, replaceNulCharacters(status), replaceNulCharacters(title)];
}

function differs({ issues }: Scope, { columns, nextColumns, existingIssues, expected }: Turn): boolean {
  if (columns.some((value, index) => value !== nextColumns[index])) return true;
  return issues && !haveSameIssues({ existing: existingIssues, expected: expected.issues });
}

function numbersOf({ keys }: Scope): readonly number[] | undefined {
  return keys && [...keys].map(keyNumber);
}

function indexOf({ record, expected }: Turn) {
  return { record, index: expected.index };
}

async function setColumns(session: Session, diffs: readonly Turn[]): Promise<void> {
  if (diffs.length === 0) return;
  const rows = diffs.map(({ record, nextColumns }) => [record, ...nextColumns]);
  await session.rows({ text: setSql, values: toColumns(rows, 5) });
  const resorted = diffs.filter(({ columns, nextColumns }) =>
    columns.slice(1).some((value, index) => value !== nextColumns[index + 1]),
  );
  if (resorted.length === 0) return;
  const versions = resorted.map(({ current, nextColumns }) => [current, ...nextColumns.slice(1)]);
  await session.rows({ text: setVersionSql, values: toColumns(versions, 4) });
}

/** The index rows that a record should have. */
interface ExpectedIndex {
  readonly record: number;
  readonly index: IndexRows;
}

/**
 * Common table expressions of the expected rows. `$1` are the records, `$2` the keys; NULL means all keys.
 */
const expectedTables: string[] = [];
let valueCount = 2;
for (const { name, columns } of indexTables) {
  const typedColumns = [['record', 'bigint'] as const, ...columns];
  expectedTables.push(
    `${name}_w AS (SELECT * FROM unnest(${placeholders(typedColumns, valueCount)}) w(${columnNames(typedColumns)}))`,
  );
  valueCount += typedColumns.length;
}

const isInScopeSql =
  'f.record = ANY ($1::bigint[]) AND ($2::integer[] IS NULL OR f.key = ANY ($2::integer[]))';

function differingRowsSql({ name, columns }: IndexTable): string {
  const existingSql = `SELECT record, ${columnNames(columns)} FROM ${name} f WHERE ${isInScopeSql}`;
  const expectedSql = `SELECT * FROM ${name}_w`;
  return `SELECT record FROM ((${expectedSql} EXCEPT ${existingSql}) UNION ALL (${existingSql} EXCEPT ${expectedSql})) d`;
}

const differText = `WITH ${expectedTables.join(', ')} ${indexTables.map(differingRowsSql).join(' UNION ')}`;

function formatReconcile({ name, columns }: IndexTable): string {
  const isSameSql = columns.map(([column]) => `w.${column} IS NOT DISTINCT FROM f.${column}`).join(' AND ');
  return `${name}_gone AS (DELETE FROM ${name} f WHERE ${isInScopeSql}
      AND NOT EXISTS (SELECT 1 FROM ${name}_w w WHERE w.record = f.record AND ${isSameSql})),
    ${name}_added AS (INSERT INTO ${name} SELECT w.* FROM ${name}_w w
      WHERE NOT EXISTS (SELECT 1 FROM ${name} f WHERE f.record = w.record AND ${isSameSql}))`;
}

const reconcileText = `WITH ${expectedTables.join(', ')}, ${indexTables.map(formatReconcile).join(', ')} SELECT 1`;

function valuesOf(expected: readonly ExpectedIndex[], keys: readonly number[] | undefined): SqlParameter[] {
  const records = expected.map(({ record }) => record);
  const lists = indexTables.flatMap(({ columns, rows }) => {
    const indexRows = expected.flatMap(({ record, index }) =>
      distinct(rows(index)).map((row) => [record, ...row]),
    );
    return toColumns(indexRows, columns.length + 1);
  });
  return [records, keys ?? null, ...lists];
}

/** Returns the records whose index rows differ from the expected rows, of these keys or of all. */
async function differingIndex(
  session: Session,
  expected: readonly ExpectedIndex[],
  keys: readonly number[] | undefined,
): Promise<ReadonlySet<number>> {
  const rows = await session.rows({ text: differText, values: valuesOf(expected, keys) });
  return new Set(rows.map(([record]) => Number(record)));
}

/** Deletes and inserts rows to match the expected rows. Equal rows are not touched. */
async function reconcileIndex(
  session: Session,
  expected: readonly ExpectedIndex[],
  keys: readonly number[] | undefined,
): Promise<void> {
  await session.rows({ text: reconcileText, values: valuesOf(expected, keys) });
}
