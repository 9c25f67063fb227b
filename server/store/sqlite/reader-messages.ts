import { FhirError } from '../../../core/fhir/outcome.ts';
import type { QuestionName } from './questions.ts';
import { carriedError, carryError, type CarriedError } from './sqlite.ts';

/** What changed in a way that the numbers of records and versions do not tell: what was counted before holds no more. */
export interface Editions {
  readonly rows: number;
  readonly issues: number;
}

export interface ReaderGiven {
  readonly path: string;
  /** Not 0 where nobody waits for the answer any more. */
  readonly givenUp: Int32Array;
}

/** A question; or that the thread is to close the database and to end. */
export type ToReader =
  | { readonly name: QuestionName; readonly asked: unknown; readonly editions: Editions }
  | { readonly close: true };

type CarriedFault = Pick<FhirError, 'kind' | 'problems' | 'headers' | 'status'>;

export type FromReader =
  | { readonly result: unknown }
  | { readonly fault: CarriedFault }
  | { readonly failed: CarriedError };

/** What an answer comes to, as it crosses. */
export function replyOf(work: () => unknown): FromReader {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof FhirError)) return { failed: carryError(error) };
    const { kind, problems, headers, status } = error;
    return { fault: { kind, problems, headers, status } };
  }
}

/** What was thrown beside; undefined where nothing was. */
export function thrownOf(reply: FromReader): { readonly error: unknown } | undefined {
  if ('result' in reply) return undefined;
  if ('failed' in reply) return { error: carriedError(reply.failed) };
  const { kind, problems, headers, status } = reply.fault;
  return { error: new FhirError(kind, problems, headers, status) };
}
