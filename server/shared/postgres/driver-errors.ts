import pg from 'pg';
import { codeOf, StoreBusyError, StoreDiskError, StoreFullError } from '../../store/store-error.ts';

/**
 * Temporary errors of PostgreSQL (appendix A of its manual): a lock timeout, a deadlock, a server that
 * starts, stops or accepts no more connections.
 */
const temporaryErrors = /^(08|40|53300|55P03|57P0|25006)/;

/** Network errors of the operating system. */
const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ENOENT',
]);

/** Messages of the driver for a lost connection. These errors have no code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** A statement was canceled by its timeout or by an aborted signal. */
export const isCanceled = '57014';

/** Violation of the wire protocol. */
const protocolViolation = '08P01';

/** Write on a standby server. */
export const readOnly = '25006';

/** Error code of a write to an erased record (schema/erasures.ts). */
export const erasedCode = 'CK001';

/** Returns true if the result of a statement that was sent is unknown. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    networkErrors.has(code) || /^(08|57P0)/.test(code) || (code === '' && lostConnection.test(error.message))
  );
}

/** Converts a driver error to a store error. Returns other errors unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  // Protocol errors come mostly from a pooler. The message is safe: it quotes no stored text.
  if (error instanceof pg.DatabaseError && code === protocolViolation)
    return new StoreBusyError(
      `The database couldn’t store it right now: ${error.message} (${code}).`,
      code,
      error,
    );
  // The message of the database may quote stored text.
  if (error instanceof pg.DatabaseError && temporaryErrors.test(code))
    return new StoreBusyError(`The database couldn’t store it right now (${code}).`, code, error);
  if (isLostConnection(error))
    return new StoreBusyError(`The database isn’t responding: ${error.message || code}.`, code, error);
  if (/^(53100|53200)$/.test(code)) return new StoreFullError('The database has no space left.', code, error);
  if (/^(58030|XX00[12])$/.test(code)) return new StoreDiskError('The database’s disk failed.', code, error);
  return error;
}

/** Returns the driver's error behind a store error. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
