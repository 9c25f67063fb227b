/** Kinds whose rows are those of one table, which both engines have alike. */
import { numbered, type Session } from '../store/postgres/connection.ts';
import { pieces } from '../store/pieces.ts';
import { listsOf, placeholders } from '../store/postgres/version-rows.ts';
import { columnNames, type Columns, type Value } from '../store/sql.ts';
import { prepareRaw } from '../store/sqlite/sqlite.ts';
import type { Kind, Place } from './kind.ts';

interface PlainTable {
  readonly name: string;
  readonly table: string;
  /** Its columns, those of its key in front. */
  readonly types: Columns;
  readonly keys: number;
  readonly nameOf: (row: readonly Value[]) => string;
}

/** Rows that are read and written together. */
export const mostRows = 1000;

/** Inserts rows that are given as lists, one a column. */
export function insertText(table: string, types: Columns): string {
  return `INSERT INTO ${table} (${columnNames(types)}) OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest(${placeholders(types)})`;
}

export function plainRows({ name, table, types, keys, nameOf }: PlainTable): Kind<readonly Value[]> {
  const key = columnNames(types.slice(0, keys));
  const marks = (count: number) => Array<string>(count).fill('?').join(', ');
  const select = `SELECT ${columnNames(types)} FROM ${table}`;
  const placeOf = (row: readonly Value[]) => row.slice(0, keys) as unknown as Place;
  const next = (last: readonly Value[] | undefined) => ({
    text: `${select} ${last ? `WHERE (${key}) > (${marks(keys)})` : ''} ORDER BY ${key} LIMIT ${mostRows}`,
    values: last ? placeOf(last) : [],
  });
  const put = insertText(table, types);
  const clear = `DELETE FROM ${table}`;
  return {
    ...{ name, placeOf, nameOf, told: (row) => row },
    folder: ({ records }) => ({
      read: () =>
        pieces<readonly Value[]>((last) => {
          const { text, values } = next(last);
          return prepareRaw<Value[]>(records, text).all(...values);
        }),
      write(rows) {
        const add = records.prepare(
          `INSERT INTO ${table} (${columnNames(types)}) VALUES (${marks(types.length)})`,
        );
        for (const row of rows) add.run(...row);
      },
      clear: () => void records.exec(clear),
    }),
    database: (session) => ({
      read: () => pieces<readonly Value[]>((last) => session.rows(numbered(next(last)))),
      async write(rows) {
        await insertRows(session, put, rows);
      },
      clear: () => session.rows({ text: clear }),
    }),
  };
}

/** Runs an {@link insertText} with rows, where there are any; answers what it returns. */
export async function insertRows(
  session: Session,
  text: string,
  rows: readonly (readonly Value[])[],
): Promise<Value[][]> {
  const width = rows[0]?.length ?? 0;
  return width === 0 ? [] : session.rows({ text, values: listsOf(rows, width) });
}
