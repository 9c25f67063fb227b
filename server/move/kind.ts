/**
 * A move consists of kinds of rows (kinds.ts), in an order that both engines share. Rows are written
 * unchanged.
 */
import { hash } from 'node:crypto';
import type { Session } from '../store/postgres/connection.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { Value } from '../store/sql.ts';

/** Key of a row in the order of its kind. */
export type Place = readonly (string | number)[];

/** Rows to read, from any engine. */
export interface Readable<Row> {
  /**
   * Yields rows in batches of some megabytes, never empty. If the kind grows, `after` skips rows up to a key.
   */
  read(after?: Place): AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** Implementation of a kind for PostgreSQL. */
export interface DatabaseHalf<Row> extends Readable<Row> {
  /** Call it within a transaction. */
  write(rows: readonly Row[]): Promise<void>;
  /** Deletes all rows, if the kind does not grow. Call it within a transaction. */
  clear?(): Promise<unknown>;
}

/** Implementation of a kind for a data folder. Its driver is synchronous. */
export interface FolderHalf<Row> extends Readable<Row> {
  write(rows: readonly Row[]): void;
  clear?(): void;
}

/** Databases of a data folder. */
export interface FolderFiles {
  readonly records: SqliteDatabase;
  readonly workspace: SqliteDatabase;
}

export interface Kind<Row> {
  /** Name of the rows for people. */
  readonly name: string;
  /**
   * True if rows are only appended: a move resumes at the end, and repeated writes change nothing. Other
   * kinds are small and start again.
   */
  readonly grows?: true;
  readonly placeOf: (row: Row) => Place;
  /** Returns the name of a row for messages about differences. */
  readonly nameOf: (row: Row) => string;
  /** Returns all values that must be equal at the destination. Nothing else is compared. */
  readonly listCells: (row: Row) => readonly (Value | boolean | readonly Value[])[];
  readonly folder: (files: FolderFiles) => FolderHalf<Row>;
  readonly database: (session: Session) => DatabaseHalf<Row>;
  /** Returns the counts of a row, if it does not count as one of its kind. */
  readonly units?: (row: Row) => Readonly<Record<string, number>>;
  /** Returns a message if the row is damaged. */
  readonly damageIn?: (row: Row) => string | undefined;
}

/** Returns the SHA-256 of all values that must be equal. */
export function digestOf<Row>({ listCells }: Pick<Kind<Row>, 'listCells'>, row: Row): Buffer {
  const cells = listCells(row).map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell));
  return hash('sha256', JSON.stringify(cells), 'buffer');
}

/** Compares two keys in the order of SQLite's BINARY and PostgreSQL's "C". Negative if `place` is first. */
export function comparePlaces(place: Place, otherPlace: Place): number {
  for (const [index, leftCell] of place.entries()) {
    const rightCell = otherPlace[index] ?? '';
    if (leftCell === rightCell) continue;
    if (typeof leftCell === 'number' && typeof rightCell === 'number') return leftCell - rightCell;
    return Buffer.compare(Buffer.from(String(leftCell)), Buffer.from(String(rightCell)));
  }
  return 0;
}
