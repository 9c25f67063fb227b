/**
 * What is moved from one engine to the other is a list of kinds (kinds.ts), each of rows in an order that both engines share.
 * A row is written as it stands.
 */
import { hash } from 'node:crypto';
import type { Session } from '../store/postgres/connection.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { Value } from '../store/sql.ts';

/** Where a row stands in the order of its kind. */
export type Place = readonly (string | number)[];

/** Rows that are read, whichever engine has them. */
export interface Readable<Row> {
  /**
   * The rows in batches of some megabytes, of which none is empty; of a kind that grows those behind a place, where one is
   * given.
   */
  read(after?: Place): AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** The half of a kind that is PostgreSQL's. */
export interface DatabaseHalf<Row> extends Readable<Row> {
  /** Belongs into a transaction of the caller's. */
  write(rows: readonly Row[]): Promise<void>;
  /** Takes all rows away; of a kind that does not grow, and within a transaction of the caller's. */
  clear?(): Promise<unknown>;
}

/** The half that is a data folder's, whose driver is synchronous. */
export interface FolderHalf<Row> extends Readable<Row> {
  write(rows: readonly Row[]): void;
  clear?(): void;
}

/** The databases of a data folder. */
export interface FolderFiles {
  readonly records: SqliteDatabase;
  readonly workspace: SqliteDatabase;
}

export interface Kind<Row> {
  /** What a person calls its rows. */
  readonly name: string;
  /**
   * Whether rows are added behind the last, and nothing else: a move goes on there, and writing one again changes nothing. Of
   * any other kind, of which there is little, it begins anew.
   */
  readonly grows?: true;
  readonly placeOf: (row: Row) => Place;
  /** What a person calls a row that differs. */
  readonly nameOf: (row: Row) => string;
  /** All of a row that has to be the same at the destination; nothing else is compared. */
  readonly told: (row: Row) => readonly (Value | boolean | readonly Value[])[];
  readonly folder: (files: FolderFiles) => FolderHalf<Row>;
  readonly database: (session: Session) => DatabaseHalf<Row>;
  /** What a row is counted as, where that is not one of its kind. */
  readonly units?: (row: Row) => Readonly<Record<string, number>>;
  /** A sentence about what is wrong with a row, wherever it stands. */
  readonly damageIn?: (row: Row) => string | undefined;
}

/** SHA-256 of all of a row that has to be the same. */
export function digestOf<Row>({ told }: Pick<Kind<Row>, 'told'>, row: Row): Buffer {
  const cells = told(row).map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell));
  return hash('sha256', JSON.stringify(cells), 'buffer');
}

/** Which of two places comes first, as SQLite's BINARY and PostgreSQL's "C" have it: below 0 where it is the first. */
export function comparePlaces(one: Place, other: Place): number {
  for (const [at, cell] of one.entries()) {
    const than = other[at] ?? '';
    if (cell === than) continue;
    if (typeof cell === 'number' && typeof than === 'number') return cell - than;
    return Buffer.compare(Buffer.from(String(cell)), Buffer.from(String(than)));
  }
  return 0;
}
