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

/** Time slice of background work. */
export interface Slice {
  /** Milliseconds since 1970. Findings depend on this day. */
  readonly now: number;
  /** Duration of the slice. */
  readonly milliseconds: number;
}

/** Status of the derived rows. */
export interface DerivedState {
  readonly rebuild: RebuildProgress | undefined;
  /** Records that the last rebuild could not read. */
  readonly skippedCount: number;
  /** Time since which all records are validated by the current rules. Undefined if some are not. */
  readonly validatedAtMs: number | undefined;
}

/** The rows that describe the records, and their rebuild. */
export interface DerivedStore {
  state(): Promise<DerivedState>;
  /** Starts a rebuild for all records, even of current parts. */
  startRebuild(scope: 'everything' | 'rules', now: number): Promise<void>;
  /**
   * Rebuilds the rows of the next records: first of records with outdated rows, then of records whose findings
   * expired. Returns true if more remain.
   */
  runSlice(slice: Slice): Promise<boolean>;
  /** Replaces the rows of a version by those derived from its text. */
  correctRows(type: ResourceType, id: string, version: number, rows: DerivedRows, now: number): Promise<void>;
  /** Calls the listener after another file has replaced the records. */
  onOpened(listener: () => void): void;
}
