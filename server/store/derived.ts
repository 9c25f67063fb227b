import type { Derived } from '../../core/derive/derive.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** How far a rebuild is; `done` and `total` count records. */
export interface RebuildProgress {
  readonly parts: readonly string[];
  readonly done: number;
  readonly total: number;
  /** Records whose text cannot be read: what was derived of them stays. */
  readonly skipped: number;
}

/** A piece of the work. */
export interface Slice {
  /** Now, in milliseconds since 1970: the findings are those of its day. */
  readonly now: number;
  /** After so many, others have their turn. */
  readonly milliseconds: number;
}

/** How what is derived stands. */
export interface DerivedState {
  /** The rebuild that is under way. */
  readonly rebuild: RebuildProgress | undefined;
  /** Records that the last rebuild could not read. */
  readonly skipped: number;
  /** When all records were last judged by today's rules; undefined where some were not. */
  readonly judged: number | undefined;
}

/** The rows that describe the records: by which derivation they were made, and how they are made anew. */
export interface DerivedStore {
  state(): Promise<DerivedState>;
  /** Has what is derived made anew of all records, whether it is covered or not. */
  renew(what: 'everything' | 'rules', now: number): Promise<void>;
  /**
   * Makes rows of the next records anew, of the rebuild first, then of those whose day has come; answers whether there
   * is more to do.
   */
  step(slice: Slice): Promise<boolean>;
  /** Turns the rows of a version that stays, whatever made them, into those that it gives. */
  mend(type: ResourceType, id: string, version: number, derived: Derived, now: number): Promise<void>;
  /** Calls whenever another file has come into the place of the records. */
  onOpened(listener: () => void): void;
}
