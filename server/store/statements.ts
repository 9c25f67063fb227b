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
