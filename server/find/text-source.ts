import type { Doc } from './text-writer.ts';

/** A version to be indexed. */
export interface SourceRow extends Pick<Doc, 'pk' | 'record' | 'id' | 'source'> {
  readonly type: string;
  /** Null for a version that is not current. */
  readonly body: string | null;
}

/** Related resource of a person or group, which records may name by reference only. */
export interface PersonRow {
  readonly pk: number;
  readonly id: string;
  /** Source of its identity. */
  readonly source: string;
  readonly body: string;
}

/** The persons of a source after a key. */
export interface PersonBatch {
  readonly rows: readonly PersonRow[];
  /** Last key of all related resources, and count of persons. */
  readonly lastKey: number;
  readonly count: number;
}

/** SQL condition of related resources that are persons or groups. */
export const isPersonSql = "type IN ('Patient', 'Group')";

/**
 * Position of an index: all versions up to `place` are known, except those up to the key `filled`, which the initial
 * fill has not read yet.
 */
export interface Stand {
  /** Position in the format of the source. Empty before the first read. */
  readonly place: string;
  readonly filled: number;
}

/** A file returns results at once, a network source as a promise. */
type MaybePromise<Result> = Result | Promise<Result>;

/** The records that an index follows. Each step is short, so that a query never waits long. */
export interface TextSource {
  /** Returns the position of an empty index. New versions are followed, existing ones are filled in. */
  begin(): MaybePromise<Stand>;
  /**
   * Returns the next versions after a position, and the new position.
   *
   * @throws IncompatibleIndexError if the position belongs to other records.
   */
  next(place: string): MaybePromise<{ readonly rows: readonly SourceRow[]; readonly place: string }>;
  /** Returns the next versions up to a key, latest first. */
  before(maxKey: number): MaybePromise<readonly SourceRow[]>;
  /** Returns the next persons after a key, in the order of their keys. A change of a person gives it a new key. */
  people(afterKey: number): MaybePromise<PersonBatch>;
  /** Returns the keys of all persons. */
  personKeys(): MaybePromise<readonly number[]>;
  /** Counts the versions after a position. */
  countPending(place: string): MaybePromise<number>;
  /** Returns the position after an erasure. `lastKey` is the key of the latest version in the index. */
  placeAfterErasure(place: string, lastKey: number): string;
  close(): MaybePromise<void>;
}

/** The index belongs to other records. */
export class IncompatibleIndexError extends Error {}

/** Maximum size of one step. */
export const batchLimits = { rows: 32, characters: 256 * 1024 };
