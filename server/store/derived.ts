import type { DerivedRows } from '../../core/derive/derive.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Progress of a rebuild. `done` and `total` count records. */
export interface RebuildProgress {
  readonly parts: readonly string[];
  readonly done: number;
  readonly total: number;
  /** Records whose text could not be read. Their derived rows stay. */
  readonly skipped: number;
}

/** A time slice of background work. */
export interface Slice {
  /** Milliseconds since 1970. Findings depend on this day. */
  readonly now: number;
  /** Pause after so many milliseconds. */
  readonly milliseconds: number;
}

/** Status of the derived rows. */
export interface DerivedState {
  /** The rebuild in progress. */
  readonly rebuild: RebuildProgress | undefined;
  /** Records that the last rebuild could not read. */
  readonly skipped: number;
  /** Time since which all records are validated by the current rules. Undefined if some are not. */
  readonly judged: number | undefined;
}

/** The rows that describe the records, and their rebuild. */
export interface DerivedStore {
  state(): Promise<DerivedState>;
  /** Starts a rebuild for all records, even of current parts. */
  renew(scope: 'everything' | 'rules', now: number): Promise<void>;
  /**
   * Rebuilds rows of the next records: of the rebuild first, then of records whose day has come. Returns true
   * if more remain.
   */
  step(slice: Slice): Promise<boolean>;
  /** Replaces the rows of a version by those derived from its text. */
  mend(type: ResourceType, id: string, version: number, rows: DerivedRows, now: number): Promise<void>;
  /** Calls the listener after another file has replaced the records. */
  onOpened(listener: () => void): void;
}
