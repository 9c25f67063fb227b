import type { Asked, CheckQuestion } from '../../core/app/checks.ts';

/** What a thread is asked: what is wrong with expressions, or what checks come to for records. */
export type CheckOrder =
  | {
      readonly faultsIn: CheckQuestion;
      /** Where the thread notes which of the expressions it parses just now, by its number in `expressionNames`. */
      readonly place: Int32Array;
    }
  | {
      readonly checks: readonly CheckQuestion[];
      /** Undefined for a record that cannot be read. */
      readonly texts: readonly (string | undefined)[];
      /** Numbers of what is not asked: see {@link itemOf}. */
      readonly without: ReadonlySet<number>;
      /** Numbers of the checks that are not parsed either. */
      readonly unparsed: ReadonlySet<number>;
      /** Where the thread notes the number of what it asks just now, or of the check that it parses. */
      readonly place: Int32Array;
    };

/** For each record, what each check came to. */
export type CheckAnswers = readonly (readonly Asked[])[];

export type CheckReply =
  | { readonly ready: true }
  | { readonly faults: readonly (readonly [name: string, fault: string])[] }
  | { readonly answers: CheckAnswers };

/** The number of one check asked of one record; 0 is none. */
export function itemOf(record: number, check: number, checks: number): number {
  return 1 + record * checks + check;
}
