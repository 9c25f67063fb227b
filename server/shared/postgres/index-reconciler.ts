import type { IndexRows } from '../../../core/derive/derive.ts';
import type { SqlParameter, Session } from './connection.ts';
import { indexTables } from '../../store/index-tables.ts';
import { columnNames } from '../../store/sql.ts';
import { distinct, toColumns, placeholders, type IndexTable } from './version-rows.ts';

/** The index rows that a record should have. */
export interface ExpectedIndex {
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
export async function differingIndex(
  session: Session,
  expected: readonly ExpectedIndex[],
  keys: readonly number[] | undefined,
): Promise<ReadonlySet<number>> {
  const rows = await session.rows({ text: differText, values: valuesOf(expected, keys) });
  return new Set(rows.map(([record]) => Number(record)));
}

/** Deletes and inserts rows to match the expected rows. Equal rows are not touched. */
export async function reconcileIndex(
  session: Session,
  expected: readonly ExpectedIndex[],
  keys: readonly number[] | undefined,
): Promise<void> {
  await session.rows({ text: reconcileText, values: valuesOf(expected, keys) });
}
