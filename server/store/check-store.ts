import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Highest number of concurrent checks. Each has a bit of a 32-bit integer. */
export const maxCheckRows = 30;

/** An enabled check, as far as the store needs it. */
export interface StoredCheck {
  readonly id: string;
  readonly type: ResourceType;
  /** Changes if all records must be checked again. */
  readonly stamp: string;
}

export interface CheckProgress {
  readonly id: string;
  /** Count of processed versions, and of all. */
  readonly done: number;
  readonly total: number;
  /** True if the check was stopped because it timed out on too many records. */
  readonly halted: boolean;
  readonly applied: number;
  /** Records on which the check could not run. */
  readonly skipped: number;
}

export interface CheckRecord {
  readonly record: number;
  readonly version: number;
  readonly type: ResourceType;
  /** Exact JSON of the record. Undefined if it is damaged. */
  readonly text: string | undefined;
}

/** Counts of records to which a check applies, and on which it could not run. */
export interface SlotCount {
  readonly applied: number;
  readonly skipped: number;
}

/** The next records for the same checks. */
export interface CheckBatch {
  readonly checks: readonly BatchCheck[];
  /** Positions before and after the batch. Opaque to callers. */
  readonly from: string;
  readonly until: string;
  readonly records: readonly CheckRecord[];
}

export interface BatchCheck extends StoredCheck {
  readonly slot: number;
  /** True if the check is disabled and its findings are removed. */
  readonly isRetired: boolean;
  readonly isHalted: boolean;
}

/** Outcome of a check on one record. */
export type CheckResult =
  | { readonly is: 'none' | 'skipped' }
  /** `open`: a part of the check could not be evaluated. */
  | { readonly is: 'holds'; readonly open?: boolean }
  | { readonly is: 'broken'; readonly issues: readonly IssueRow[]; readonly open?: boolean };

/** Outcomes for each record of a batch, one per check in order. */
export type BatchResults = readonly (readonly CheckResult[])[];

/** Progress and results of custom checks. */
export interface CheckStore {
  /**
   * Makes the running checks match the list. If all rows are in use by disabled checks, the rest waits for
   * the next call.
   */
  settle(checks: readonly StoredCheck[]): Promise<void>;
  /** Restarts all checks on all records. */
  renew(): Promise<void>;
  /** Returns the next batch. Undefined if every check is finished. */
  next(): Promise<CheckBatch | undefined>;
  /**
   * Writes the results of a batch. `halted` lists stopped checks. Records changed since are ignored, and so
   * is the batch if a check was changed or has moved on.
   */
  write(
    slice: CheckBatch,
    verdicts: BatchResults,
    haltedChecks: ReadonlySet<string>,
    day: number,
  ): Promise<void>;
  progress(): Promise<readonly CheckProgress[]>;
  /** Counts records by type with a finding of a rule folder: `profile/`. */
  countFlagged(folder: string): Promise<Readonly<Record<ResourceType, number>>>;
  /** Returns ids of records on which a check could not run. */
  listSkipped(id: string, limit: number): Promise<readonly string[]>;
  /** Returns exact texts of records of a type, after an id, at most `limit`. */
  sample(
    type: ResourceType,
    after: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly text: string | undefined }[]>;
}
