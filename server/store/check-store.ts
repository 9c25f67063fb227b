import type { IssueRow } from '../../core/fhir/issue-row.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Checks that are asked at once, at most: each has a bit of a whole number that the operators of JavaScript take. */
export const mostSlots = 30;

/** A check that is switched on, as the store has to know it. */
export interface KeptCheck {
  readonly id: string;
  readonly type: ResourceType;
  /** Changes whenever all records have to be asked anew. */
  readonly stamp: string;
}

/** How far a check has come. */
export interface CheckProgress {
  readonly id: string;
  /** Versions that were passed, and all. */
  readonly done: number;
  readonly total: number;
  /** Whether it was given up, as it ran away on too many records. */
  readonly halted: boolean;
  readonly applied: number;
  /** Records for which it could not be asked. */
  readonly skipped: number;
}

export interface CheckRecord {
  readonly record: number;
  readonly version: number;
  readonly type: ResourceType;
  /** The record's exact JSON; undefined where it is damaged. */
  readonly text: string | undefined;
}

/** How many records a check applies to, and for how many it could not be asked; by the number of its slot. */
export interface SlotCount {
  readonly applied: number;
  readonly skipped: number;
}

/** Records that the same checks have to be asked of next. */
export interface CheckSlice {
  readonly checks: readonly SliceCheck[];
  /** How far they had come, and have come once the slice is written, in the store's own words. */
  readonly from: string;
  readonly until: string;
  readonly records: readonly CheckRecord[];
}

export interface SliceCheck extends KeptCheck {
  readonly slot: number;
  /** Whether it is switched off: what it found goes. */
  readonly retired: boolean;
  readonly halted: boolean;
}

/** What a check came to for one record. */
export type CheckVerdict =
  | { readonly is: 'none' | 'skipped' }
  /** `open`: a part of it could not be decided. */
  | { readonly is: 'holds'; readonly open?: boolean }
  | { readonly is: 'broken'; readonly issues: readonly IssueRow[]; readonly open?: boolean };

/** Verdicts on the records of a slice: for each record one for each check, in their order. */
export type SliceVerdicts = readonly (readonly CheckVerdict[])[];

/** Which records a steward's own checks were asked of, and what they came to. */
export interface CheckStore {
  /**
   * Makes the checks that are asked those of the list. Those for which no slot is free, as checks that were switched off
   * are still in theirs, wait for the next call.
   */
  settle(checks: readonly KeptCheck[]): Promise<void>;
  /** Has all checks asked of all records anew. */
  renew(): Promise<void>;
  /** What is to be asked next; undefined where every check has come to the end. */
  next(): Promise<CheckSlice | undefined>;
  /**
   * Writes what a slice came to; `halted` are checks that are given up. Records that were changed since are left out, and
   * so is the whole slice where its checks ask something else by now, or have come elsewhere.
   */
  write(slice: CheckSlice, verdicts: SliceVerdicts, halted: ReadonlySet<string>, day: number): Promise<void>;
  progress(): Promise<readonly CheckProgress[]>;
  /** Records by type with a finding of a folder of rules: `profile/`. */
  flaggedBy(folder: string): Promise<Readonly<Record<ResourceType, number>>>;
  /** Ids of records for which a check could not be asked. */
  skipped(id: string, limit: number): Promise<readonly string[]>;
  /** Exact texts of records of a type, spread over all, behind an id; at most `limit`. */
  sample(
    type: ResourceType,
    after: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly text: string | undefined }[]>;
}
