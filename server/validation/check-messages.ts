import type { CheckOutcome, CheckExpressions } from '../../core/app/checks.ts';

/** Checks to run on records. */
export interface CheckRequest {
  readonly checks: readonly CheckExpressions[];
  /** Undefined for a record that cannot be read. */
  readonly texts: readonly (string | undefined)[];
  /** Numbers of items to skip; see {@link itemOf}. */
  readonly skippedItems: ReadonlySet<number>;
  /** Numbers of the checks that are not parsed. */
  readonly unparsed: ReadonlySet<number>;
}

/** For each record, the outcome of each check. */
export type CheckAnswers = readonly (readonly CheckOutcome[])[];

/** Returns the number of one check on one record; 0 means none. */
export function itemOf(record: number, check: number, checks: number): number {
  return 1 + record * checks + check;
}
