/** Result of work in a thread, in a form that can be cloned: class instances can't. */
import { FhirError } from '../../core/fhir/outcome.ts';

/** `failed` is an error other than FhirError. */
export type Reply =
  | { readonly result: unknown }
  | { readonly fault: Pick<FhirError, 'kind' | 'problems' | 'headers' | 'status'> }
  | { readonly error: unknown };

/** Runs work and returns its result. `serialize` converts errors that cannot be cloned. */
export function replyOf(
  work: () => unknown,
  serialize: (error: unknown) => unknown = (error) => error,
): Reply {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof FhirError)) return { error: serialize(error) };
    const { kind, problems, headers, status } = error;
    return { fault: { kind, problems, headers, status } };
  }
}

/** Settles the promise of the caller. `deserialize` restores errors. */
export function tell(
  reply: Reply,
  { resolve, reject }: Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>,
  deserialize: (error: unknown) => unknown = (error) => error,
): void {
  if ('result' in reply) resolve(reply.result);
  else if ('error' in reply) reject(deserialize(reply.error));
  else {
    const { kind, problems, headers, status } = reply.fault;
    reject(new FhirError(kind, problems, headers, status));
  }
}
