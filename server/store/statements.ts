import { limits } from '../../core/api/contract.ts';
import type { Sql } from './sql.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';

/** A search's statement is one of few texts; more than this many come from many values, and are not worth keeping. */
const most = 500;

export type Value = string | number | Buffer | null;

/** Prepares each SQL text once; rows come as arrays of their columns. */
export class Statements {
  private readonly database: SqliteDatabase;
  private readonly prepared = new Map<string, Statement<Value[]>>();

  constructor(database: SqliteDatabase) {
    this.database = database;
  }

  rows({ text, values }: Sql): Value[][] {
    return this.statement(text).all(...values);
  }

  /**
   * Rows as far as their texts come to `most` bytes together, the first in any case; `cut` where others follow.
   *
   * @param query - The query with so many rows at most.
   * @param column - The place of the text in a row.
   */
  rowsWithin(
    query: (limit: number) => Sql,
    { limit, column, most }: { readonly limit: number; readonly column: number; readonly most: number },
  ): { rows: Value[][]; cut: boolean } {
    // So few cannot be too large, and are read at once: one by one costs each search a tenth of its time.
    const few = Math.min(limit, Math.floor(most / limits.body));
    const rows = this.rows(query(few));
    if (rows.length < few || few === limit) return { rows, cut: false };
    rows.length = 0;
    const { text, values } = query(limit);
    let bytes = 0;
    for (const row of this.statement(text).iterate(...values)) {
      const body = row[column];
      if (Buffer.isBuffer(body)) bytes += body.length;
      if (bytes > most && rows.length > 0) return { rows, cut: true };
      rows.push(row);
    }
    return { rows, cut: false };
  }

  /** The first column of the first row, as a number. */
  number({ text, values }: Sql): number {
    return Number(this.statement(text).get(...values)?.[0] ?? 0);
  }

  private statement(text: string): Statement<Value[]> {
    const known = this.prepared.get(text);
    if (known) return known;
    if (this.prepared.size >= most) this.prepared.clear();
    const made = this.database.prepare<unknown[], Value[]>(text).raw();
    this.prepared.set(text, made);
    return made;
  }
}
