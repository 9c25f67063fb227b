import type { SealKey } from '../store/audit-chain.ts';
import { namesOf } from '../store/audit-chains.ts';
import { verifyTrail } from '../store/postgres/audit.ts';
import { endsOf } from '../store/postgres/chain.ts';
import type { Session } from '../store/postgres/connection.ts';
import { isUnfinished, unfinishedMove } from '../store/postgres/moving.ts';
import { alone } from './alone.ts';
import type { Source, SourceTrail } from './ends.ts';
import type { Place } from './kind.ts';

/**
 * Has a shared store read as it stands at one moment; what a server's role may read is enough.
 *
 * @throws Error with a sentence where a server writes, or the store is none to be moved; StoreError.
 */
export function withSourceDatabase<Result>(
  address: string,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  return alone(address, async ({ database, name, assertAlone }) => {
    if (await isUnfinished(database)) throw new Error(unfinishedMove);
    return database.asOfNow(async (session) => {
      const result = await use(sourceOf(name, session));
      assertAlone();
      return result;
    });
  });
}

function sourceOf(name: string, session: Session): Source {
  return {
    name,
    halfOf: (kind) => kind.database(session),
    async seals() {
      const rows = await session.rows({ text: 'SELECT seal FROM node WHERE seq > 0' });
      return rows.flatMap(([seal]) => (Buffer.isBuffer(seal) ? [seal] : []));
    },
    trail: (key) => trailOf(session, key),
    left: (version, entry) => leftIn(session, version, entry),
    staysBehind: () => [],
  };
}

async function trailOf(session: Session, key: SealKey | undefined): Promise<SourceTrail> {
  const { broken } = await verifyTrail(session, key);
  const ends = namesOf(await endsOf(session));
  return { ends, ...(broken && { broken: `entry ${broken.seq} of the audit trail: ${broken.reason}.` }) };
}

async function leftIn(
  session: Session,
  version: Place | undefined,
  entry: Place | undefined,
): Promise<number> {
  const text = `SELECT (SELECT count(*) FROM version WHERE pk > $1::bigint)
    + (SELECT count(*) FROM audit WHERE place > $2::bigint)`;
  const [[left] = []] = await session.rows({ text, values: [version?.[0] ?? 0, entry?.[0] ?? 0] });
  return Number(left);
}
