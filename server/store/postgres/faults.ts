import pg from 'pg';
import { codeOf, StoreBusyError, StoreDiskError, StoreFullError } from '../store-error.ts';

/**
 * PostgreSQL's names of faults (appendix A of its manual) that the same request may not meet again in a second: a lock
 * that was not given, a transaction that another one undid, a server that starts, ends or takes no more connections.
 */
const passing = /^(08|40|53300|55P03|57P0|25006)/;

/** The same of the system, where the server is not reached. */
const unreached = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ENOENT',
]);

/** What the driver itself says of a connection that is gone, without a code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** A statement was called off: by its time limit, or because nobody waits for it. */
export const calledOff = '57014';

/** The way that programs speak to the database was not kept to. */
const protocolViolation = '08P01';

/** A write came to a server that only follows another. */
export const readOnly = '25006';

/** What the database calls it where something is to be stored that was erased (schema/erasures.ts). */
export const erasedCode = 'CK001';

/** Whether an error leaves it open what became of a statement that was sent. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    unreached.has(code) || /^(08|57P0)/.test(code) || (code === '' && lostConnection.test(error.message))
  );
}

/** What the driver threw, as the store says it; anything else as it is. */
export function ownError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const code = codeOf(thrown);
  // What is said of the protocol itself, by a pooler most often, is said again: it quotes nothing that was written.
  if (thrown instanceof pg.DatabaseError && code === protocolViolation)
    return new StoreBusyError(`The database did not take it now: ${thrown.message} (${code}).`, code, thrown);
  // The database's own words may quote what was written.
  if (thrown instanceof pg.DatabaseError && passing.test(code))
    return new StoreBusyError(`The database did not take it now (${code}).`, code, thrown);
  if (isLostConnection(thrown))
    return new StoreBusyError(`The database does not answer: ${thrown.message || code}.`, code, thrown);
  if (/^(53100|53200)$/.test(code)) return new StoreFullError('The database has no room.', code, thrown);
  if (/^(58030|XX00[12])$/.test(code)) return new StoreDiskError("The database's disk failed.", code, thrown);
  return thrown;
}

/** What stands behind the store's own error. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
