/**
 * Error of a store of any engine. Callers outside this folder see only these classes, no driver codes.
 * The `cause` is the driver's error.
 *
 * Invariant: nothing of a failed write is stored, except if the error says that the result is unknown.
 */
export abstract class StoreError extends Error {
  /** Error code of the driver, for the log. */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A resource is in use. The same request may succeed in a second. */
export class StoreBusyError extends StoreError {
  override readonly name: string = 'StoreBusyError';
}

/** The connection was lost during a commit. It is unknown if the write is stored, so it is not repeated. */
export class StoreUnconfirmedError extends StoreBusyError {
  override readonly name: string = 'StoreUnconfirmedError';
}

/** The disk is full. Reads still work. */
export class StoreFullError extends StoreError {
  override readonly name = 'StoreFullError';
}

/** The disk failed. Reads work as far as the disk responds. */
export class StoreDiskError extends StoreError {
  override readonly name = 'StoreDiskError';
}

/** Returns true if the disk of the store or of a written file is full (ENOSPC). */
export function saysFull(error: unknown): boolean {
  return error instanceof StoreFullError || codeOf(error) === 'ENOSPC';
}

/** Returns the error code of the system, a driver or a database. Empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Returns the error code for the log; `unknown` without one. The message may hold data of a record or file. */
export function formatErrorCode(error: unknown): string {
  return codeOf(error) || 'unknown';
}
