/**
 * What servers and a move of records (server/move) know of each other. Invariant: while a move into a store has begun and not
 * ended, and while records are moved out of it, no server writes there.
 */
import { StoreBusyError } from '../store-error.ts';
import { locks } from './locks.ts';
import type { Session } from './connection.ts';

/** What a server says that meets a move. */
export const unfinishedMove =
  'Records are being moved into this store, and the move has not ended: run `chartkeeper move` again, with the same --from and --to.';

const begun = 'EXISTS (SELECT 1 FROM move WHERE ended IS NULL)';

/** Whether a move into the store has begun and not ended. */
export async function isUnfinished(session: Session): Promise<boolean> {
  const [[unfinished] = []] = await session.rows({ text: `SELECT ${begun}` });
  return Boolean(unfinished);
}

const lasting = { session: 'pg_try_advisory_lock_shared', transaction: 'pg_try_advisory_xact_lock_shared' };

/**
 * Has a session, or a transaction, say for as long as it lasts that a server writes here.
 *
 * @throws StoreBusyError where somebody moves the store, or a move into it has not ended.
 */
export async function writeBesideMoves(session: Session, lasts: keyof typeof lasting): Promise<void> {
  const text = `SELECT ${lasting[lasts]}($1::bigint), ${begun}`;
  const [[free, unfinished] = []] = await session.rows({ text, values: [locks.move] });
  if (!free) throw new StoreBusyError('The store is being moved.', '', undefined);
  if (unfinished) throw new StoreBusyError(unfinishedMove, '', undefined);
}

/** Milliseconds that a session which has just ended, however it did, is waited for. */
const patience = 3000;

/** Keeps all servers from writing for as long as the session lasts; answers whether none writes. */
export async function keepFromWriting(session: Session): Promise<boolean> {
  await session.rows({ text: "SELECT set_config('lock_timeout', $1, false)", values: [String(patience)] });
  try {
    await session.rows({ text: 'SELECT pg_advisory_lock($1::bigint)', values: [locks.move] });
    return true;
  } catch (error) {
    if (error instanceof StoreBusyError) return false;
    throw error;
  }
}

/** Lets servers write again, without waiting for the end of the session. */
export async function letWrite(session: Session): Promise<void> {
  await session.rows({ text: 'SELECT pg_advisory_unlock($1::bigint)', values: [locks.move] });
}
