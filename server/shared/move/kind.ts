/** A move copies tables (kinds.ts), row by row in an order that both engines share. Rows are written unchanged. */
import { hash } from 'node:crypto';
import type { Session } from '../postgres/connection.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { Value } from '../../store/sql.ts';

/** Key of a row. Keys order the rows of a table. */
export type RowKey = readonly (string | number)[];

/** Rows to read, from any engine. */
export interface ReadableRows<Row> {
  /**
   * Yields rows in batches of some megabytes, never empty. In an append-only table, `after` skips rows up to a key.
   */
  read(after?: RowKey): AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** A moved table in PostgreSQL. */
export interface DatabaseTable<Row> extends ReadableRows<Row> {
  /** Call it within a transaction. */
  write(rows: readonly Row[]): Promise<void>;
  /** Deletes all rows. Absent if the table is append-only. Call it within a transaction. */
  clear?(): Promise<unknown>;
}

/** A moved table in a data folder. Its driver is synchronous. */
export interface FolderTable<Row> extends ReadableRows<Row> {
  write(rows: readonly Row[]): void;
  clear?(): void;
}

export interface FolderFiles {
  readonly records: SqliteDatabase;
  readonly workspace: SqliteDatabase;
}

/** A table that a move copies, for both engines. */
export interface MovedTable<Row> {
  /** Name of the rows for people. */
  readonly name: string;
  /**
   * True if rows are only appended. A move then resumes at the end, and repeated writes change nothing. Other
   * tables are small and are copied from the start.
   */
  readonly isAppendOnly?: true;
  readonly keyOf: (row: Row) => RowKey;
  /** Returns the name of a row for messages about differences. */
  readonly nameOf: (row: Row) => string;
  /** Returns all values that must be equal at the destination. Nothing else is compared. */
  readonly listCells: (row: Row) => readonly (Value | boolean | readonly Value[])[];
  readonly openInFolder: (files: FolderFiles) => FolderTable<Row>;
  readonly openInDatabase: (session: Session) => DatabaseTable<Row>;
  /** Returns what a row counts as in the report. Absent if each row counts as one of its table. */
  readonly countUnits?: (row: Row) => Readonly<Record<string, number>>;
  /** Returns a message if the row is damaged. */
  readonly findDamage?: (row: Row) => string | undefined;
}

/** Returns the SHA-256 of all values that must be equal. */
export function digestOf<Row>({ listCells }: Pick<MovedTable<Row>, 'listCells'>, row: Row): Buffer {
  const cells = listCells(row).map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell));
  return hash('sha256', JSON.stringify(cells), 'buffer');
}

/** Compares two keys in the order of SQLite's BINARY and PostgreSQL's "C". Negative if `place` is first. */
export function compareRowKeys(place: RowKey, otherPlace: RowKey): number {
  for (const [index, leftCell] of place.entries()) {
    const rightCell = otherPlace[index] ?? '';
    if (leftCell === rightCell) continue;
    if (typeof leftCell === 'number' && typeof rightCell === 'number') return leftCell - rightCell;
    return Buffer.compare(Buffer.from(String(leftCell)), Buffer.from(String(rightCell)));
  }
  return 0;
}
