/**
 * What stops a store, whichever engine it stands on: callers outside this folder know these three, and no driver's codes.
 * What was thrown first is the `cause`. Thrown where the store's parts are handed out (own-errors.ts) or, by an engine
 * across a network, where a statement fails. Invariant: of a write that failed so, nothing is stored,
 * but where the error says that it is not known.
 */
export abstract class StoreError extends Error {
  /** The driver's own name of the fault, for the log. */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Somebody else holds what is needed: the same request may go through in a second. */
export class StoreBusyError extends StoreError {
  override readonly name: string = 'StoreBusyError';
}

/** The store went away in the middle of a commit: whether it is stored is not known, and nobody tries it again unasked. */
export class StoreUnsureError extends StoreBusyError {
  override readonly name: string = 'StoreUnsureError';
}

/** The disk is full: what is stored can be read. */
export class StoreFullError extends StoreError {
  override readonly name = 'StoreFullError';
}

/** The disk failed: what is stored can be read, as far as it still answers. */
export class StoreDiskError extends StoreError {
  override readonly name = 'StoreDiskError';
}

/** Whether a disk was full: the store's, or the one to which a file was written (ENOSPC). */
export function saysFull(error: unknown): boolean {
  return error instanceof StoreFullError || codeOf(error) === 'ENOSPC';
}

/** The name that the system, a driver or a database gives a fault; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
