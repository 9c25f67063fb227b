import { FhirError } from '../../core/fhir/outcome.ts';
import type { JobName } from '../fhir/jobs.ts';

/** What a thread is asked to do; it answers in order. */
export interface ToThread {
  readonly job: JobName;
  readonly given: readonly unknown[];
}

/** A FhirError as it crosses: classes do not. */
type CarriedFault = Pick<FhirError, 'kind' | 'problems' | 'headers' | 'status'>;

/** That a thread can work, then what each job came to; `failed` is a fault that is none of FHIR's. */
export type FromThread =
  | { readonly ready: true }
  | { readonly result: unknown }
  | { readonly fault: CarriedFault }
  | { readonly failed: unknown };

/** What a job comes to, as it crosses. */
export function replyOf(work: () => unknown): FromThread {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof FhirError)) return { failed: error };
    const { kind, problems, headers, status } = error;
    return { fault: { kind, problems, headers, status } };
  }
}

/** What was thrown beside; undefined where nothing was. */
export function thrownOf(reply: FromThread): { readonly error: unknown } | undefined {
  if ('failed' in reply) return { error: reply.failed };
  if (!('fault' in reply)) return undefined;
  const { kind, problems, headers, status } = reply.fault;
  return { error: new FhirError(kind, problems, headers, status) };
}
