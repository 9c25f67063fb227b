/**
 * Coordination of servers and a move of records (server/shared/move). Invariant: no server writes while a move into
 * or out of the store is incomplete.
 */
import { StoreBusyError } from '../../store/store-error.ts';
import { locks } from './locks.ts';
import type { Session } from './connection.ts';

/** Message of a server that meets an incomplete move. */
export const unfinishedMove =
  'A move into this store is incomplete. Run `chartkeeper move` again with the same --from and --to.';

const hasUnfinishedMoveSql = 'EXISTS (SELECT 1 FROM move WHERE ended IS NULL)';

/** Returns true if a move into the store has started and not finished. */
export async function isUnfinished(session: Session): Promise<boolean> {
  const [[isUnfinishedMove] = []] = await session.rows({ text: `SELECT ${hasUnfinishedMoveSql}` });
  return Boolean(isUnfinishedMove);
}

const lockFunctions = {
  session: 'pg_try_advisory_lock_shared',
  transaction: 'pg_try_advisory_xact_lock_shared',
};

/**
 * Locks the store against moves until the session or transaction ends.
 *
 * @throws StoreBusyError if a move is running or incomplete.
 */
export async function lockAgainstMoves(session: Session, scope: keyof typeof lockFunctions): Promise<void> {
  const text = `SELECT ${lockFunctions[scope]}($1::bigint), ${hasUnfinishedMoveSql}`;
  const [[isFree, isUnfinishedMove] = []] = await session.rows({ text, values: [locks.move] });
  if (!isFree) throw new StoreBusyError('The store is being moved.', '', undefined);
  if (isUnfinishedMove) throw new StoreBusyError(unfinishedMove, '', undefined);
}

/** Wait for a session that has just ended, in milliseconds. */
const timeoutMs = 3000;

/** Prevents all servers from writing until the session ends. Returns true if none writes. */
export async function blockWriters(session: Session): Promise<boolean> {
  await session.rows({ text: "SELECT set_config('lock_timeout', $1, false)", values: [String(timeoutMs)] });
  try {
    await session.rows({ text: 'SELECT pg_advisory_lock($1::bigint)', values: [locks.move] });
    return true;
  } catch (error) {
    if (error instanceof StoreBusyError) return false;
    throw error;
  }
}

/** Allows writes again before the session ends. */
export async function unblockWriters(session: Session): Promise<void> {
  await session.rows({ text: 'SELECT pg_advisory_unlock($1::bigint)', values: [locks.move] });
}
