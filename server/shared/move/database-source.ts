import type { SealKey } from '../../store/audit-chain.ts';
import { formatChainEnds } from '../../store/audit-chains.ts';
import { verifyAuditLog } from '../postgres/audit.ts';
import { listChainEnds } from '../postgres/chain.ts';
import type { Session } from '../postgres/connection.ts';
import { isUnfinished, unfinishedMove } from '../postgres/moving.ts';
import { withExclusiveDatabase } from './exclusive-database.ts';
import type { Source, SourceAuditLog } from './ends.ts';
import type { RowKey } from './kind.ts';

/**
 * Reads a shared store in one snapshot. The rights of a server's role are sufficient.
 *
 * @throws Error with a message if a server writes, or the store cannot be moved; StoreError.
 */
export function withSourceDatabase<Result>(
  address: string,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  return withExclusiveDatabase(address, async ({ database, name, assertExclusive }) => {
    if (await isUnfinished(database)) throw new Error(unfinishedMove);
    return database.readSnapshot(async (session) => {
      const result = await use(sourceOf(name, session));
      assertExclusive();
      return result;
    });
  });
}

function sourceOf(name: string, session: Session): Source {
  return {
    name,
    getTable: (kind) => kind.openInDatabase(session),
    async listLatestSeals() {
      const rows = await session.rows({ text: 'SELECT seal FROM node WHERE seq > 0' });
      return rows.flatMap(([seal]) => (Buffer.isBuffer(seal) ? [seal] : []));
    },
    readAuditState: (key) => readAuditState(session, key),
    countAfter: (version, entry) => countRemaining(session, version, entry),
    describeUnmoved: () => [],
  };
}

async function readAuditState(session: Session, key: SealKey | undefined): Promise<SourceAuditLog> {
  const { broken: brokenEntry } = await verifyAuditLog(session, key);
  const chainEnds = formatChainEnds(await listChainEnds(session));
  return {
    chainEnds,
    ...(brokenEntry && { problem: `entry ${brokenEntry.seq} of the audit log: ${brokenEntry.reason}.` }),
  };
}

async function countRemaining(
  session: Session,
  version: RowKey | undefined,
  entry: RowKey | undefined,
): Promise<number> {
  const text = `SELECT (SELECT count(*) FROM version WHERE pk > $1::bigint)
    + (SELECT count(*) FROM audit WHERE place > $2::bigint)`;
  const [[remainingCount] = []] = await session.rows({ text, values: [version?.[0] ?? 0, entry?.[0] ?? 0] });
  return Number(remainingCount);
}
