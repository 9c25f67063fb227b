/** Messages between a thread and the thread that started it. Class instances can't be sent. */
import { FhirError } from '../../core/fhir/outcome.ts';

export interface ThreadRequest {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly unknown[];
}

/** Requests of one turn of the event loop, or the order to end. */
export type ToThread = readonly ThreadRequest[] | 'end';

export type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SerializedError };

/** Replies to requests. The first message has none: the thread has loaded its program. */
export type FromThread = readonly ThreadReply[];

export interface ThreadData {
  readonly data: unknown;
  /** ID of the request that nobody waits for anymore, as one element of shared memory. */
  readonly abortedId: Int32Array;
}

export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly members: object;
}

export function serializeError(error: unknown): SerializedError {
  const thrownError = error instanceof Error ? error : new Error(String(error));
  const { name, message, stack } = thrownError;
  return { name, message, stack, members: Object.fromEntries(Object.entries(thrownError)) };
}

/** Classes of errors by the `name` of their instances. */
export type ErrorClasses = Readonly<Record<string, { readonly prototype: Error }>>;

/** Restores an error with its members, as an instance of its class if that is FhirError or a listed one. */
export function deserializeError(serializedError: SerializedError, listedClasses: ErrorClasses = {}): Error {
  const { name, message, stack, members } = serializedError;
  const error = Object.assign(new Error(message), { stack }, members);
  const { [name]: errorClass }: Partial<ErrorClasses> = { FhirError, ...listedClasses };
  if (errorClass) Object.setPrototypeOf(error, errorClass.prototype);
  else error.name = name;
  return error;
}
