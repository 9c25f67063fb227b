/** A PostgreSQL store for cases, and what it holds. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { pathOf } from '../core/api/contract.ts';
import { migrate } from '../server/store/postgres/migrate.ts';
import { asAdmin as adminOf } from '../server/testing/postgres.ts';
import { FaultError, type Finding } from './fault-case.ts';
import { markOf, type Held, type Ledger } from './ledger.ts';
import { differencesIn } from './expect.ts';
import { send, startServer, type Answer, type FaultServer, type StartOptions } from './server.ts';
import { address, contentOf, entries, type StoreContent, type VersionRow } from './store-copy.ts';

export const noPostgres: Finding = { result: 'not run', reason: 'PostgreSQL is not installed.' };

/** A cluster's settings that lose nothing which was acknowledged. */
export const careful = { synchronous_commit: 'on', fsync: 'on', full_page_writes: 'on' } as const;

/** The statuses that leave open whether a write is stored. */
export const unsure = [503];

/** Does work with a connection of one who may do everything. */
export function asAdmin<Result>(
  port: number,
  work: (admin: pg.Client) => Promise<Result>,
  database = 'charts',
): Promise<Result> {
  return adminOf(port, database, work);
}

/** Makes the two roles and the tables of a store, in a database of its own: `charts`. */
export async function makeStore(port: number, tablespace = 'pg_default'): Promise<void> {
  await asAdmin(
    port,
    async (admin) => {
      await admin.query('CREATE ROLE keeper LOGIN; CREATE ROLE server LOGIN');
      await admin.query(`CREATE DATABASE charts OWNER keeper TABLESPACE ${tablespace}`);
    },
    'postgres',
  );
  await migrate(`postgres://keeper@127.0.0.1:${port}/charts`, 'server');
}

/** A server over the store of these ports, in a folder of its own that is made where it is not there. */
export async function serve(
  folder: string,
  ports: readonly number[],
  options: StartOptions = {},
): Promise<FaultServer> {
  await mkdir(folder, { mode: 0o700, recursive: true });
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return startServer(folder, {
    ...options,
    flags: ['--store', `postgres://server@${hosts}/charts`, ...(options.flags ?? [])],
  });
}

/** Servers over one store, of which one at a time is asked. */
export class ServerPair {
  private readonly start: (place: number) => Promise<FaultServer>;
  private servers: FaultServer[] = [];
  private place = 0;

  private constructor(start: (place: number) => Promise<FaultServer>) {
    this.start = start;
  }

  static async begin(folder: string, port: number): Promise<ServerPair> {
    const pair = new ServerPair((place) => serve(join(folder, `server-${place}`), [port]));
    pair.servers = [await pair.start(0), await pair.start(1)];
    return pair;
  }

  /** The one that is asked. */
  get live(): FaultServer {
    const server = this.servers[this.place];
    if (!server) throw new Error('No server has begun.');
    return server;
  }

  /** Turns to the other, and begins the one anew, which was killed. */
  async turn(): Promise<FaultServer> {
    const killed = this.place;
    this.place = 1 - killed;
    this.servers[killed] = await this.start(killed);
    return this.live;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }
}

/** Counts of rows that must not be there: half a transaction. */
const halves: Readonly<Record<string, string>> = {
  'record without its current version':
    'SELECT count(*) FROM record r LEFT JOIN version v ON v.pk = r.current AND v.record = r.pk AND v.version = r.version WHERE v.pk IS NULL',
  'record without its time':
    'SELECT count(*) FROM record r JOIN version v ON v.pk = r.current LEFT JOIN updated u ON u.record = r.pk AND u.last_updated = v.last_updated WHERE u.record IS NULL',
  'record with a gap in its versions':
    'SELECT count(*) FROM record r WHERE r.version <> (SELECT count(*) FROM version v WHERE v.record = r.pk)',
  'record without references':
    'SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM reference f WHERE f.record = r.pk)',
  'version without its one audit entry': `SELECT count(*) FROM version v LEFT JOIN (${entries}) a ON a.what = ${address} AND a.version_after = v.version WHERE a.entries IS DISTINCT FROM 1`,
  'audit entry of a version that is not there': `SELECT count(*) FROM (${entries}) a LEFT JOIN version v ON a.what = ${address} AND a.version_after = v.version WHERE v.pk IS NULL`,
};

/** Reads everything that a store holds, past the product's own code. */
export function readSharedStore(port: number): Promise<StoreContent> {
  return asAdmin(port, async (admin) => {
    await admin.query('SET search_path = chartkeeper');
    const { rows } = await admin.query<VersionRow>('SELECT type, id, version, sha256, body FROM version');
    const disagreements: string[] = [];
    for (const [what, text] of Object.entries(halves)) {
      const { rows: counted } = await admin.query<{ count: string }>(text);
      const count = Number(counted[0]?.count);
      if (count > 0) disagreements.push(`${count} × ${what}`);
    }
    return contentOf(rows, disagreements);
  });
}

/** Compares a store that nobody writes with what its clients know; answers how many versions it holds. */
export async function expectSharedAgreement(port: number, ledger: Ledger): Promise<number> {
  const { held, disagreements } = await readSharedStore(port);
  if (ledger.untold > 0)
    throw new FaultError(`${ledger.untold} refusals were answered without an OperationOutcome`);
  const found = [...disagreements, ...doubled(held), ...differencesIn(ledger.compare(held))];
  if (found.length > 0) throw new FaultError(found.slice(0, 5).join('; '));
  return held.length;
}

/** Each write carries a mark of its own: two versions with one are one write that was made twice. */
function doubled(held: readonly Held[]): string[] {
  const marks = held.map(({ text }) => markOf(text)).filter((mark) => mark !== '');
  const twice = marks.length - new Set(marks).size;
  return twice > 0 ? [`${twice} writes were made twice`] : [];
}

/** The trail is whole, by the product's own look at it. */
export async function expectSoundTrail(server: FaultServer): Promise<void> {
  const { status, text } = await send(server, 'POST', '/app/audit/verify');
  if (status !== 200 || text.includes('"broken"'))
    throw new FaultError(`The audit trail is not whole: ${status} ${text.slice(0, 300)}`);
}

/** Writers were answered nothing but these statuses. */
export function expectStatuses({ statuses }: Ledger, allowed: readonly number[]): void {
  const other = [...statuses.keys()].filter((status) => !allowed.includes(status));
  if (other.length > 0) throw new FaultError(`Writes were answered ${other.join(', ')}`);
}

/** Creates a record under a mark of its own, and notes what came of it; the answer. */
export async function createMarked(
  server: FaultServer,
  ledger: Ledger,
  description = 'Marked',
): Promise<Answer> {
  const title = ledger.nextTitle();
  const record = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title, description };
  const body = JSON.stringify({ ...record, subject: { reference: 'Patient/marked' } });
  const answer = await send(server, 'POST', pathOf('CarePlan'), body);
  const { status, text } = answer;
  ledger.count(status);
  if (status === 201) {
    const { id } = JSON.parse(text) as { id: string };
    ledger.acknowledge(title, { key: `CarePlan/${id}/_history/1`, text });
  } else if (!unsure.includes(status)) ledger.refuse(title, text.includes('OperationOutcome'));
  return answer;
}
