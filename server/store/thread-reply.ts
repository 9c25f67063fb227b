/** What work in a thread comes to, as it crosses to who asked for it: classes do not. */
import { FhirError } from '../../core/fhir/outcome.ts';

/** `failed` is a fault that is none of FHIR's. */
export type Reply =
  | { readonly result: unknown }
  | { readonly fault: Pick<FhirError, 'kind' | 'problems' | 'headers' | 'status'> }
  | { readonly failed: unknown };

/** What work comes to; `carry` makes something that crosses of a fault that would not. */
export function replyOf(work: () => unknown, carry: (error: unknown) => unknown = (error) => error): Reply {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof FhirError)) return { failed: carry(error) };
    const { kind, problems, headers, status } = error;
    return { fault: { kind, problems, headers, status } };
  }
}

/** Tells who asked; `carried` makes the fault again that was carried. */
export function tell(
  reply: Reply,
  { resolve, reject }: Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>,
  carried: (failed: unknown) => unknown = (failed) => failed,
): void {
  if ('result' in reply) resolve(reply.result);
  else if ('failed' in reply) reject(carried(reply.failed));
  else {
    const { kind, problems, headers, status } = reply.fault;
    reject(new FhirError(kind, problems, headers, status));
  }
}
