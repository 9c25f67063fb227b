import type { TextForm } from '../checksum.ts';
import { pageSize } from '../page-size.ts';
import type { Sql, Value } from '../sql.ts';
import { prepareRaw, type SqliteDatabase, type Statement } from '../../sqlite/sqlite.ts';
import type { Steps } from './cooperative-steps.ts';

/**
 * Maximum number of prepared statements. Searches use few texts; more come from many values and are not worth caching.
 */
const maxStatements = 500;

/** Rows per query if the texts are short or omitted. */
const rowsPerQuery = 25;

/** Rows per query without texts. */
const rowsPerQueryWithoutTexts = 200;

export interface ResultRows {
  readonly rows: Value[][];
  /** True if more rows exist than the response may have. */
  readonly isCut: boolean;
  /** Size in bytes of the largest text that was not loaded. Absent if all were loaded. */
  readonly largest?: number;
}

/** Prepares each SQL text once. Rows are arrays of columns. */
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
   * Reads rows until their texts exceed `most` bytes, at least one row. If the texts of a page are large, they stay in
   * the database and {@link convertRows} reads them one at a time.
   *
   * @param query - Builds the query for a row limit and a text form.
   * @param column - Index of the text in a row.
   */
  rowsWithin(
    query: (limit: number, form: TextForm) => Sql,
    {
      limit,
      column,
      maxBytes,
    }: { readonly limit: number; readonly column: number; readonly maxBytes: number },
  ): ResultRows {
    // The first rows are read in one call. One by one, each search would take a tenth longer.
    const firstCount = Math.min(limit, rowsPerQuery);
    const rows = this.rows(query(firstCount, 'short'));
    if (rows.length < firstCount || firstCount === limit) return limitRows(rows, column, maxBytes);
    const { text, values } = query(limit, 'short');
    rows.length = 0;
    let bytes = 0;
    for (const row of this.statement(text).iterate(...values)) {
      rows.push(row);
      bytes += lengthOf(row[column]);
      if (bytes > pageSize.held) return limitRows(this.rows(query(limit, 'length')), column, maxBytes);
    }
    return limitRows(rows, column, maxBytes);
  }

  /**
   * Reads rows with known positions, one batch per step, with the same limit. The first texts are loaded.
   *
   * @param query - Builds the query for a range of positions and a text form.
   */
  *readRowsInSteps(
    query: (from: number, to: number, form: TextForm) => Sql,
    {
      count,
      column,
      maxBytes,
    }: { readonly count: number; readonly column: number; readonly maxBytes: number },
  ): Steps<ResultRows> {
    const rows: Value[][] = [];
    let bytes = 0;
    let from = 0;
    while (from < count && bytes <= maxBytes) {
      if (from > 0) yield;
      const form = bytes > pageSize.held ? 'length' : 'short';
      const to = Math.min(count, from + (form === 'short' ? rowsPerQuery : rowsPerQueryWithoutTexts));
      for (const row of this.rows(query(from, to, form))) {
        rows.push(row);
        bytes += lengthOf(row[column]);
      }
      from = to;
    }
    return limitRows(rows, column, maxBytes);
  }

  /** Converts rows. A text that was not loaded is read when its row is reached. */
  convertRows<Item>(
    { rows, largest }: ResultRows,
    { column, key }: { readonly column: number; readonly key: number },
    make: (row: Value[]) => Item,
  ): Iterable<Item> {
    if (largest === undefined) return rows.map(make);
    const readText = this.statement('SELECT CAST(body AS BLOB) FROM version WHERE pk = ?');
    const withText = (row: Value[]) =>
      typeof row[column] === 'number' ? row.with(column, readText.get(row[key])?.[0] ?? null) : row;
    return {
      *[Symbol.iterator]() {
        for (const row of rows) yield make(withText(row));
      },
    };
  }

  /** Returns the first column of the first row as a number. */
  number({ text, values }: Sql): number {
    return Number(this.statement(text).get(...values)?.[0] ?? 0);
  }

  /** Visits the numbers in one column. A million numbers as one text take a tenth of the time of a million rows. */
  eachNumber({ text, values }: Sql, column: string, visit: (number: number) => void): void {
    const list = this.statement(`SELECT ${listOf(column)} FROM (${text})`).get(...values)?.[0];
    visitListNumbers(list ?? null, visit);
  }

  /** Returns the first column of each row as numbers. */
  numbers({ text, values }: Sql): number[] {
    return this.statement(text)
      .all(...values)
      .map(([number]) => Number(number));
  }

  visitRows({ text, values }: Sql, visit: (row: Value[]) => void): void {
    for (const row of this.statement(text).iterate(...values)) visit(row);
  }

  private statement(text: string): Statement<Value[]> {
    const cachedStatement = this.prepared.get(text);
    if (cachedStatement) return cachedStatement;
    if (this.prepared.size >= maxStatements) this.prepared.clear();
    const preparedStatement = prepareRaw<Value[]>(this.database, text);
    this.prepared.set(text, preparedStatement);
    return preparedStatement;
  }
}

/** Returns the SQL that lists all numbers of a group, for {@link visitListNumbers}. */
export function listOf(column: string): string {
  return `CAST(group_concat(${column}) AS BLOB)`;
}

const [zero, comma] = Buffer.from('0,');

/** Visits the numbers of a list. Numbers are never negative. */
export function visitListNumbers(list: Value, visit: (number: number) => void): void {
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

function limitRows(rows: Value[][], column: number, maxBytes: number): ResultRows {
  let bytes = 0;
  let largest: number | undefined;
  for (const [index, row] of rows.entries()) {
    const text = row[column];
    bytes += lengthOf(text);
    if (bytes > maxBytes && index > 0)
      return { rows: rows.slice(0, index), isCut: true, ...(largest && { largest }) };
    if (typeof text === 'number') largest = Math.max(text, largest ?? 0);
  }
  return { rows, isCut: false, ...(largest !== undefined && { largest }) };
}
