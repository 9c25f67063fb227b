import type { IndexRows } from '../../../core/fhir/index-rows.ts';
import type { Given, Session } from './connection.ts';
import { indexTables } from '../index-tables.ts';
import { columnNames } from '../sql.ts';
import { distinct, listsOf, placeholders, type IndexTable } from './version-rows.ts';

/** Index rows of many records: those that they are to have of some keys. */
export interface WantedIndex {
  readonly record: number;
  readonly index: IndexRows;
}

/** Names of the tables' rows that are wanted; `$1` are the records, `$2` the keys, NULL for all. */
const wanted: string[] = [];
let before = 2;
for (const { name, columns } of indexTables) {
  const all = [['record', 'bigint'] as const, ...columns];
  wanted.push(`${name}_w AS (SELECT * FROM unnest(${placeholders(all, before)}) w(${columnNames(all)}))`);
  before += all.length;
}

const ofThese = 'f.record = ANY ($1::bigint[]) AND ($2::integer[] IS NULL OR f.key = ANY ($2::integer[]))';

function differing({ name, columns }: IndexTable): string {
  const stands = `SELECT record, ${columnNames(columns)} FROM ${name} f WHERE ${ofThese}`;
  const is = `SELECT * FROM ${name}_w`;
  return `SELECT record FROM ((${is} EXCEPT ${stands}) UNION ALL (${stands} EXCEPT ${is})) d`;
}

const differText = `WITH ${wanted.join(', ')} ${indexTables.map(differing).join(' UNION ')}`;

function mended({ name, columns }: IndexTable): string {
  const same = columns.map(([column]) => `w.${column} IS NOT DISTINCT FROM f.${column}`).join(' AND ');
  return `${name}_gone AS (DELETE FROM ${name} f WHERE ${ofThese}
      AND NOT EXISTS (SELECT 1 FROM ${name}_w w WHERE w.record = f.record AND ${same})),
    ${name}_added AS (INSERT INTO ${name} SELECT w.* FROM ${name}_w w
      WHERE NOT EXISTS (SELECT 1 FROM ${name} f WHERE f.record = w.record AND ${same}))`;
}

const mendText = `WITH ${wanted.join(', ')}, ${indexTables.map(mended).join(', ')} SELECT 1`;

function valuesOf(all: readonly WantedIndex[], keys: readonly number[] | undefined): Given[] {
  const records = all.map(({ record }) => record);
  const lists = indexTables.flatMap(({ columns, rows }) => {
    const found = all.flatMap(({ record, index }) => distinct(rows(index)).map((row) => [record, ...row]));
    return listsOf(found, columns.length + 1);
  });
  return [records, keys ?? null, ...lists];
}

/** The records whose rows of these keys, all where absent, are others than those that are wanted. */
export async function differingIndex(
  session: Session,
  all: readonly WantedIndex[],
  keys: readonly number[] | undefined,
): Promise<ReadonlySet<number>> {
  const rows = await session.rows({ text: differText, values: valuesOf(all, keys) });
  return new Set(rows.map(([record]) => Number(record)));
}

/** Turns the rows that stand into those that are wanted; rows that stay are not touched. */
export async function mendIndex(
  session: Session,
  all: readonly WantedIndex[],
  keys: readonly number[] | undefined,
): Promise<void> {
  await session.rows({ text: mendText, values: valuesOf(all, keys) });
}
