import type { TextForm } from '../checksum.ts';
import { pageSize } from '../page-size.ts';
import type { Sql, Value } from '../sql.ts';
import { prepareRaw, type SqliteDatabase, type Statement } from './sqlite.ts';
import type { Steps } from './turns.ts';

/** A search's statement is one of few texts; more than this many come from many values, and are not worth keeping. */
const most = 500;

/** Rows that are read at once, each with a text that is short or is left out. */
const few = 25;

/** The same where the texts are left out. */
const many = 200;

/** The rows of a page. */
export interface FoundRows {
  readonly rows: Value[][];
  /** Whether others follow that were too much for one answer. */
  readonly cut: boolean;
  /** Bytes of the largest text among those that are not at hand; absent where all are. */
  readonly largest?: number;
}

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
   * Rows as far as their texts come to `most` bytes together, the first in any case. Of a page whose texts are large they
   * are left where they are, and read one at a time by {@link made}.
   *
   * @param query - The query with so many rows at most, and their texts in a form.
   * @param column - The place of the text in a row.
   */
  rowsWithin(
    query: (limit: number, form: TextForm) => Sql,
    { limit, column, most }: { readonly limit: number; readonly column: number; readonly most: number },
  ): FoundRows {
    // So few are read at once: one by one costs each search a tenth of its time.
    const first = Math.min(limit, few);
    const rows = this.rows(query(first, 'short'));
    if (rows.length < first || first === limit) return within(rows, column, most);
    const { text, values } = query(limit, 'short');
    rows.length = 0;
    let bytes = 0;
    for (const row of this.statement(text).iterate(...values)) {
      rows.push(row);
      bytes += lengthOf(row[column]);
      if (bytes > pageSize.held) return within(this.rows(query(limit, 'length')), column, most);
    }
    return within(rows, column, most);
  }

  /**
   * The same of rows whose places are known, a slice of them at each step: the texts that come first are at hand.
   *
   * @param query - The query for the rows from one place to another, and their texts in a form.
   */
  *rowsInTurns(
    query: (from: number, to: number, form: TextForm) => Sql,
    { count, column, most }: { readonly count: number; readonly column: number; readonly most: number },
  ): Steps<FoundRows> {
    const rows: Value[][] = [];
    let bytes = 0;
    let from = 0;
    while (from < count && bytes <= most) {
      if (from > 0) yield;
      const form = bytes > pageSize.held ? 'length' : 'short';
      const to = Math.min(count, from + (form === 'short' ? few : many));
      for (const row of this.rows(query(from, to, form))) {
        rows.push(row);
        bytes += lengthOf(row[column]);
      }
      from = to;
    }
    return within(rows, column, most);
  }

  /** What `make` makes of rows; a text that is not at hand is read when its turn comes. */
  made<Item>(
    { rows, largest }: FoundRows,
    { column, key }: { readonly column: number; readonly key: number },
    make: (row: Value[]) => Item,
  ): Iterable<Item> {
    if (largest === undefined) return rows.map(make);
    const read = this.statement('SELECT CAST(body AS BLOB) FROM version WHERE pk = ?');
    const whole = (row: Value[]) =>
      typeof row[column] === 'number' ? row.with(column, read.get(row[key])?.[0] ?? null) : row;
    return {
      *[Symbol.iterator]() {
        for (const row of rows) yield make(whole(row));
      },
    };
  }

  /** The first column of the first row, as a number. */
  number({ text, values }: Sql): number {
    return Number(this.statement(text).get(...values)?.[0] ?? 0);
  }

  /**
   * Visits the numbers that the query's rows have in a column: a million of them come as one text in a tenth of the time
   * that as many rows take.
   */
  eachNumber({ text, values }: Sql, column: string, visit: (number: number) => void): void {
    const list = this.statement(`SELECT ${listOf(column)} FROM (${text})`).get(...values)?.[0];
    eachOf(list ?? null, visit);
  }

  /** The first column of each row, as numbers. */
  numbers({ text, values }: Sql): number[] {
    return this.statement(text)
      .all(...values)
      .map(([number]) => Number(number));
  }

  /** Visits the rows one by one. */
  each({ text, values }: Sql, visit: (row: Value[]) => void): void {
    for (const row of this.statement(text).iterate(...values)) visit(row);
  }

  private statement(text: string): Statement<Value[]> {
    const known = this.prepared.get(text);
    if (known) return known;
    if (this.prepared.size >= most) this.prepared.clear();
    const made = prepareRaw<Value[]>(this.database, text);
    this.prepared.set(text, made);
    return made;
  }
}

/** The SQL of all numbers that a group's rows have, for {@link eachOf}. */
export function listOf(column: string): string {
  return `CAST(group_concat(${column}) AS BLOB)`;
}

const [zero, comma] = Buffer.from('0,');

/** Visits the numbers of a list, none of which is negative. */
export function eachOf(list: Value, visit: (number: number) => void): void {
  if (!Buffer.isBuffer(list)) return;
  let number = 0;
  for (const byte of list) {
    if (byte === comma) {
      visit(number);
      number = 0;
    } else number = number * 10 + byte - (zero ?? 0);
  }
  if (list.length > 0) visit(number);
}

function lengthOf(text: Value | undefined): number {
  return Buffer.isBuffer(text) ? text.length : Number(text ?? 0);
}

function within(rows: Value[][], column: number, most: number): FoundRows {
  let bytes = 0;
  let largest: number | undefined;
  for (const [index, row] of rows.entries()) {
    const text = row[column];
    bytes += lengthOf(text);
    if (bytes > most && index > 0)
      return { rows: rows.slice(0, index), cut: true, ...(largest && { largest }) };
    if (typeof text === 'number') largest = Math.max(text, largest ?? 0);
  }
  return { rows, cut: false, ...(largest !== undefined && { largest }) };
}
