import type { Doc } from './text-writer.ts';

/** A version that the index is to know. */
export interface SourceRow extends Pick<Doc, 'pk' | 'record' | 'id'> {
  readonly type: string;
  /** Null for a version that another has replaced. */
  readonly body: string | null;
}

/**
 * How far an index has come: what was written up to a place is known, but for versions up to the number `filled`, which the
 * first fill has still to read.
 */
export interface Stand {
  /** As its source writes it; empty before anything was read. */
  readonly place: string;
  readonly filled: number;
}

/** At once where a file is read, and from across a network later. */
type Later<Result> = Result | Promise<Result>;

/** The records that an index follows. Each of its steps is short, so that a question waits for no more. */
export interface TextSource {
  /** Where an index stands that knows nothing: new versions are followed, those that are there are filled in. */
  begin(): Later<Stand>;
  /**
   * The next versions that were written behind a place, and the place behind them.
   *
   * @throws UnfitError where the place is one of other records.
   */
  next(place: string): Later<{ readonly rows: readonly SourceRow[]; readonly place: string }>;
  /** The next versions up to a number, the newest first. */
  before(filled: number): Later<readonly SourceRow[]>;
  /** How many versions were written behind a place. */
  left(place: string): Later<number>;
  /** The place once records were erased; `last` is the number of the newest version that the index still holds. */
  erased(place: string, last: number): string;
  close(): Later<void>;
}

/** The index is not one of these records. */
export class UnfitError extends Error {}

/** Of one step. */
export const batch = { rows: 32, characters: 256 * 1024 };
