/** Kinds whose rows are those of one table, which both engines have alike. */
import { numbered, type Session } from '../store/postgres/connection.ts';
import { listsOf } from '../store/postgres/version-rows.ts';
import type { Value } from '../store/sql.ts';
import type { Kind, Place } from './kind.ts';
import { namesOf } from './moved-version.ts';

interface PlainTable {
  readonly name: string;
  readonly table: string;
  /** Its columns with their types in PostgreSQL, those of its key in front. */
  readonly types: readonly string[];
  readonly keys: number;
  readonly nameOf: (row: readonly Value[]) => string;
}

/** Rows that are read and written together. */
export const mostRows = 1000;

/** Inserts rows that are given as lists, one a column. */
export function insertText(table: string, types: readonly string[]): string {
  const lists = types.map((type, at) => `$${at + 1}::${type.split(' ')[1] ?? ''}[]`).join(', ');
  return `INSERT INTO ${table} (${namesOf(types)}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${lists})`;
}

export function plainRows({ name, table, types, keys, nameOf }: PlainTable): Kind<readonly Value[]> {
  const key = namesOf(types.slice(0, keys));
  const marks = (count: number) => Array<string>(count).fill('?').join(', ');
  const select = `SELECT ${namesOf(types)} FROM ${table}`;
  const next = (after: Place | undefined) => ({
    text: `${select} ${after ? `WHERE (${key}) > (${marks(keys)})` : ''} ORDER BY ${key} LIMIT ${mostRows}`,
    values: after ?? [],
  });
  const placeOf = (row: readonly Value[]) => row.slice(0, keys) as unknown as Place;
  const put = insertText(table, types);
  const clear = `DELETE FROM ${table}`;
  return {
    ...{ name, placeOf, nameOf, told: (row) => row },
    folder: ({ records }) => ({
      *read() {
        for (let last: Place | undefined; ;) {
          const { text, values } = next(last);
          const rows = records
            .prepare<unknown[], Value[]>(text)
            .raw()
            .all(...values);
          const end = rows.at(-1);
          if (!end) return;
          yield rows;
          last = placeOf(end);
        }
      },
      write(rows) {
        const add = records.prepare(
          `INSERT INTO ${table} (${namesOf(types)}) VALUES (${marks(types.length)})`,
        );
        for (const row of rows) add.run(...row);
      },
      clear: () => void records.exec(clear),
    }),
    database: (session) => ({
      async *read() {
        for (let last: Place | undefined; ;) {
          const rows = await session.rows(numbered(next(last)));
          const end = rows.at(-1);
          if (!end) return;
          yield rows;
          last = placeOf(end);
        }
      },
      async write(rows) {
        await insertRows(session, put, rows);
      },
      clear: () => session.rows({ text: clear, values: [] }),
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
