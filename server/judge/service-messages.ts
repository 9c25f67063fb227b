import { FhirError } from '../../core/fhir/outcome.ts';
import type { RecordService, ServiceOptions } from '../fhir/service.ts';
import type { Texts } from '../fhir/texts.ts';

/** What a service in a thread needs to know once. */
export type ServiceSettings = Pick<ServiceOptions, 'level' | 'requireIfMatch'>;

/** What a thread is asked to do. */
export type Jobs = Pick<
  RecordService,
  'validate' | 'typeOf' | 'create' | 'update' | 'patch' | 'importRecord'
> &
  Texts;
export type JobName = keyof Jobs;

/** What a service in a thread asks for; the store itself stays where the database is. */
export const storeCalls = ['read', 'issuesOf', 'nextNumber', 'insert', 'insertUnless', 'replace'] as const;
export type StoreCall = (typeof storeCalls)[number] | 'mend';

/** A FhirError as it crosses: classes do not. */
export type CarriedFault = Pick<FhirError, 'kind' | 'problems' | 'headers' | 'status'>;

/** What another side answers; a fault that is none of FHIR's stays there. */
export type Reply =
  { readonly result: unknown } | { readonly fault: CarriedFault } | { readonly failed: true };

export type ToThread =
  | {
      readonly job: JobName;
      readonly given: readonly unknown[];
      /** The time of the job, in milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly reply: Reply };

export type FromThread =
  { readonly ask: StoreCall; readonly given: readonly unknown[] } | { readonly reply: Reply };

/** What work comes to, as it crosses; `failed` is told of a fault that does not. */
export async function replyOf(work: () => unknown, failed: (fault: unknown) => void): Promise<Reply> {
  try {
    return { result: crossing(await work()) };
  } catch (error) {
    if (error instanceof FhirError) return { fault: carried(error) };
    failed(error);
    return { failed: true };
  }
}

/** The result that a reply brings; throws its fault, and that of `failed` for one that did not cross. */
export function resultOf(reply: Reply, failed: () => unknown): unknown {
  if ('result' in reply) return arrived(reply.result);
  throw 'fault' in reply ? revived(reply.fault) : failed();
}

/** A value without classes. */
function crossing(value: unknown): unknown {
  if (value instanceof FhirError) return { [faultMark]: carried(value) };
  return mapped(value, crossing);
}

/** The value with its classes again. */
function arrived(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object' && value !== null && faultMark in value) {
    return revived(value[faultMark] as CarriedFault);
  }
  return mapped(value, arrived);
}

const faultMark = 'fhirError';

function mapped(value: unknown, change: (one: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  // A page may read its records one at a time.
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, change);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));
}

function carried({ kind, problems, headers, status }: FhirError): CarriedFault {
  return { kind, problems, headers, status };
}

function revived({ kind, problems, headers, status }: CarriedFault): FhirError {
  return new FhirError(kind, problems, headers, status);
}
