import type { CheckOutcome, CheckExpressions } from '../../core/app/checks.ts';
import type { Problem } from '../../core/fhir/outcome.ts';

/** Request to the worker: find the problems of expressions, or run checks on records. */
export type CheckWorkerRequest =
  | {
      readonly faultsIn: CheckExpressions;
      /** The worker writes here the number in `expressionNames` of the expression that it parses. */
      readonly sharedPosition: Int32Array;
    }
  | {
      readonly checks: readonly CheckExpressions[];
      /** Undefined for a record that cannot be read. */
      readonly texts: readonly (string | undefined)[];
      /** Numbers of items to skip; see {@link itemOf}. */
      readonly skippedItems: ReadonlySet<number>;
      /** Numbers of the checks that are not parsed. */
      readonly unparsed: ReadonlySet<number>;
      /**
       * The worker writes here the number of the item that it evaluates, or of the check that it parses.
       */
      readonly sharedPosition: Int32Array;
    };

/** For each record, the outcome of each check. */
export type CheckAnswers = readonly (readonly CheckOutcome[])[];

export type CheckWorkerResponse =
  | { readonly ready: true }
  | { readonly faults: readonly (readonly [name: string, fault: Problem])[] }
  | { readonly answers: CheckAnswers };

/** Returns the number of one check on one record; 0 means none. */
export function itemOf(record: number, check: number, checks: number): number {
  return 1 + record * checks + check;
}
