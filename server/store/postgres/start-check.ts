/**
 * What a server looks at before it uses a database: whether it speaks to the one database that has its records, and whether
 * that is the one that numbered them. Where not, it would start, say that it is ready, and answer wrongly. Called when a
 * store is opened.
 */
import type { Aside, Postgres, Session } from './connection.ts';

/** Connections that are looked at: who hands each to one of two databases is found out in 255 cases of 256. */
const looked = 8;

/** A connection as the database sees it. */
export interface SeenConnection {
  /** The process that its start named, and the one that answers. */
  readonly named: number;
  readonly answers: number;
  /** True if the database that answers follows another: as asked for what only a primary can tell, and for what both can. */
  readonly follows: boolean;
  readonly readsFollower: boolean;
  /** Settings, by their names. */
  readonly settings: ReadonlyMap<string, string>;
}

const direct = 'Give the address of the database itself.';

/** Why a store cannot be had over such connections, which were asked for such settings; undefined where it can. */
export function refusalOf(
  seen: readonly SeenConnection[],
  asked: Readonly<Record<string, string>>,
): string | undefined {
  const answers = seen.flatMap(({ follows, readsFollower }) => [follows, readsFollower]);
  if (new Set(answers).size > 1)
    return 'Reads go to another database than writes, which may be behind: a balancer stands before them. Give the address of the primary itself.';
  if (seen.some(({ named, answers }) => named !== answers))
    return `A pooler such as PgBouncer or pgpool stands before the database, and gives one session to several. ${direct}`;
  for (const { settings } of seen) {
    const lost = Object.keys(asked).find((name) => settings.get(name) !== asked[name]);
    if (lost !== undefined)
      return `The setting ${lost} does not come to the database: it is ${settings.get(lost) ?? 'not there'}. ${direct}`;
  }
  return undefined;
}

/** @throws Error with a sentence where something stands before the database that the store cannot work with. */
export async function checkWay(database: Postgres): Promise<void> {
  const refusalNow = async () =>
    refusalOf(
      await Promise.all(Array.from({ length: looked }, () => database.aside(look))),
      database.settings,
    );
  if ((await refusalNow()) === undefined) return;
  // While a standby is promoted, connections of one moment differ.
  const refusal = await refusalNow();
  if (refusal !== undefined) throw new Error(refusal);
}

async function look({ named, ask }: Aside): Promise<SeenConnection> {
  // A balancer sends this to a primary, as it calls what may write, and the next where reads go.
  const [[answers, follows] = []] = await ask('SELECT pg_backend_pid(), pg_is_in_recovery()::text');
  const [[readOnly] = []] = await ask("SELECT current_setting('transaction_read_only')");
  const settings = await ask('SELECT name, setting FROM pg_settings');
  return {
    ...{ named, answers: Number(answers) },
    follows: follows === 'true',
    readsFollower: readOnly === 'on',
    settings: new Map(settings.map(([name = '', setting = '']) => [name, setting])),
  };
}

/**
 * A version bears the number of the transaction that wrote it, and a page shows the versions that its snapshot has seen. In
 * another cluster, where a dump was restored, numbers begin anew: those of the records would lie in the future.
 *
 * @throws Error with a sentence where the records are numbered by another cluster.
 */
export async function checkNumbers(session: Session): Promise<void> {
  const text = 'SELECT max(xid) >= pg_snapshot_xmax(pg_current_snapshot()) FROM version';
  const [[foreign] = []] = await session.rows({ text });
  if (!foreign) return;
  throw new Error(
    'These records were written in another cluster (pg_dump, pg_restore), and lists would leave some of them out. Restore a copy of the whole cluster (pg_basebackup), or bring the records with chartkeeper move.',
  );
}
