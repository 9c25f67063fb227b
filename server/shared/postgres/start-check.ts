/**
 * Checks of a database before a server uses it: that all connections reach the one database with the records,
 * and that this cluster numbered them. Otherwise the server would start, report ready and return wrong
 * results. Called when a store is opened.
 */
import type { SeparateConnection, Postgres, Session } from './connection.ts';

/** Sampled connections. A balancer over two databases is detected in 255 of 256 cases. */
const sampleSize = 8;

/** A connection as the database reports it. */
export interface SeenConnection {
  /** The process named at connection start, and the process that answers. */
  readonly startProcessId: number;
  readonly processId: number;
  /** True if the database is a standby: by a function of the primary, and by a plain read. */
  readonly isStandby: boolean;
  readonly readsStandby: boolean;
  readonly settings: ReadonlyMap<string, string>;
}

const direct = 'Use the address of the database itself.';

/** Returns why the store cannot use such connections; undefined if it can. */
export function findConnectionProblem(
  connections: readonly SeenConnection[],
  requestedSettings: Readonly<Record<string, string>>,
): string | undefined {
  const standbyFlags = connections.flatMap(({ isStandby: follows, readsStandby: readsFollower }) => [
    follows,
    readsFollower,
  ]);
  if (new Set(standbyFlags).size > 1)
    return 'A balancer sends reads to another database than writes, which may be behind. Use the address of the primary itself.';
  if (connections.some(({ startProcessId, processId: answers }) => startProcessId !== answers))
    return `A pooler such as PgBouncer or pgpool is in front of the database and shares sessions. ${direct}`;
  for (const { settings } of connections) {
    const lostName = Object.keys(requestedSettings).find(
      (name) => settings.get(name) !== requestedSettings[name],
    );
    if (lostName !== undefined)
      return `The setting ${lostName} doesn’t reach the database: it is ${settings.get(lostName) ?? 'missing'}. ${direct}`;
  }
  return undefined;
}

/** @throws Error with a message if a balancer or pooler stands before the database. */
export async function assertDirectConnection(database: Postgres): Promise<void> {
  const findProblem = async () =>
    findConnectionProblem(
      await Promise.all(
        Array.from({ length: sampleSize }, () => database.withSeparateConnection(inspectConnection)),
      ),
      database.settings,
    );
  if ((await findProblem()) === undefined) return;
  // Connections may differ for a moment while a standby is promoted, so the check runs twice.
  const problem = await findProblem();
  if (problem !== undefined) throw new Error(problem);
}

async function inspectConnection({
  processId: startProcessId,
  query,
}: SeparateConnection): Promise<SeenConnection> {
  // A balancer sends the first query to a primary, because it calls functions, and the second to a standby.
  const [[answers, follows] = []] = await query('SELECT pg_backend_pid(), pg_is_in_recovery()::text');
  const [[readOnly] = []] = await query("SELECT current_setting('transaction_read_only')");
  const settings = await query('SELECT name, setting FROM pg_settings');
  return {
    startProcessId,
    processId: Number(answers),
    isStandby: follows === 'true',
    readsStandby: readOnly === 'on',
    settings: new Map(settings.map(([name = '', setting = '']) => [name, setting])),
  };
}

/**
 * Checks that transaction ids in the records belong to this cluster. A page shows the versions of its snapshot, by the
 * id of the writing transaction. After a restore into another cluster the ids restart, and records would be invisible.
 *
 * @throws Error with a message if another cluster numbered the records.
 */
export async function assertSameCluster(session: Session): Promise<void> {
  const text = 'SELECT max(xid) >= pg_snapshot_xmax(pg_current_snapshot()) FROM version';
  const [[isForeign] = []] = await session.rows({ text });
  if (!isForeign) return;
  throw new Error(
    'These records were written in another cluster (pg_dump, pg_restore), so lists would omit some of them. Restore a copy of the whole cluster (pg_basebackup), or move the records with chartkeeper move.',
  );
}
