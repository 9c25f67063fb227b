/** Kinds with one table that is equal in both engines. */
import { numbered, type Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import { toColumns, placeholders } from '../postgres/version-rows.ts';
import { columnNames, type Columns, type Value } from '../../store/sql.ts';
import { prepareRaw } from '../../sqlite/sqlite.ts';
import type { MovedTable, RowKey } from './kind.ts';

interface PlainTable {
  readonly name: string;
  readonly table: string;
  /** Columns. The columns of the key come first. */
  readonly types: Columns;
  readonly keys: number;
  readonly nameOf: (row: readonly Value[]) => string;
}

/** Rows per batch. */
export const maxRows = 1000;

/** Returns an INSERT of rows as column lists. */
export function buildInsertSql(table: string, types: Columns): string {
  return `INSERT INTO ${table} (${columnNames(types)}) OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest(${placeholders(types)})`;
}

export function plainRows({ name, table, types, keys, nameOf }: PlainTable): MovedTable<readonly Value[]> {
  const key = columnNames(types.slice(0, keys));
  const marks = (count: number) => Array<string>(count).fill('?').join(', ');
  const selectSql = `SELECT ${columnNames(types)} FROM ${table}`;
  const keyOf = (row: readonly Value[]) => row.slice(0, keys) as unknown as RowKey;
  const selectAfter = (lastRow: readonly Value[] | undefined) => ({
    text: `${selectSql} ${lastRow ? `WHERE (${key}) > (${marks(keys)})` : ''} ORDER BY ${key} LIMIT ${maxRows}`,
    values: lastRow ? keyOf(lastRow) : [],
  });
  const insertRowsSql = buildInsertSql(table, types);
  const clearSql = `DELETE FROM ${table}`;
  return {
    name,
    keyOf,
    nameOf,
    listCells: (row) => row,
    openInFolder: ({ records }) => ({
      read: () =>
        readInChunks<readonly Value[]>((lastRow) => {
          const { text, values } = selectAfter(lastRow);
          return prepareRaw<Value[]>(records, text).all(...values);
        }),
      write(rows) {
        const add = records.prepare(
          `INSERT INTO ${table} (${columnNames(types)}) VALUES (${marks(types.length)})`,
        );
        for (const row of rows) add.run(...row);
      },
      clear: () => void records.exec(clearSql),
    }),
    openInDatabase: (session) => ({
      read: () => readInChunks<readonly Value[]>((lastRow) => session.rows(numbered(selectAfter(lastRow)))),
      async write(rows) {
        await insertRows(session, insertRowsSql, rows);
      },
      clear: () => session.rows({ text: clearSql }),
    }),
  };
}

/** Runs an {@link buildInsertSql} if there are rows, and returns its result. */
export async function insertRows(
  session: Session,
  text: string,
  rows: readonly (readonly Value[])[],
): Promise<Value[][]> {
  const width = rows[0]?.length ?? 0;
  return width === 0 ? [] : session.rows({ text, values: toColumns(rows, width) });
}
