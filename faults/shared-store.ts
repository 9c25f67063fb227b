/** A PostgreSQL store for the cases, and checks of its content. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { pathOf } from '../core/api/contract.ts';
import { migrate } from '../server/shared/postgres/migrate.ts';
import { asAdmin as adminOf } from '../server/testing/postgres.ts';
import { FaultError, type FaultResult } from './fault-case.ts';
import { readMark, type StoredVersion, type Ledger } from './ledger.ts';
import { formatDifferences } from './expect.ts';
import { send, startServer, type Answer, type FaultServer, type StartOptions } from './server.ts';
import { addressSql, toStoreContent, entriesSql, type StoreContent, type VersionRow } from './store-copy.ts';

export const noPostgres: FaultResult = { result: 'not run', reason: 'PostgreSQL is not installed.' };

/** Settings of a cluster that loses no acknowledged commit. */
export const durableSettings = { synchronous_commit: 'on', fsync: 'on', full_page_writes: 'on' } as const;

/** Statuses that do not tell if a write was stored. */
export const unconfirmedStatuses = [503];

/** Does work with a connection of the superuser. */
export function asAdmin<Result>(
  port: number,
  work: (admin: pg.Client) => Promise<Result>,
  database = 'charts',
): Promise<Result> {
  return adminOf(port, database, work);
}

/** Creates the two roles and the tables of a store, in the database `charts`. */
export async function createSharedStore(port: number, tablespace = 'pg_default'): Promise<void> {
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

/** Starts a server over the store at these ports. Creates its data folder if needed. */
export async function serveShared(
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

/** Two servers over one store. Requests go to one of them at a time. */
export class ServerPair {
  private readonly start: (index: number) => Promise<FaultServer>;
  private servers: FaultServer[] = [];
  private activeIndex = 0;

  private constructor(start: (index: number) => Promise<FaultServer>) {
    this.start = start;
  }

  static async begin(folder: string, port: number): Promise<ServerPair> {
    const pair = new ServerPair((index) => serveShared(join(folder, `server-${index}`), [port]));
    pair.servers = [await pair.start(0), await pair.start(1)];
    return pair;
  }

  /** The server that gets the requests. */
  get active(): FaultServer {
    const server = this.servers[this.activeIndex];
    if (!server) throw new Error('No server has begun.');
    return server;
  }

  /** Switches to the other server, and restarts the killed one. */
  async switchServer(): Promise<FaultServer> {
    const killedIndex = this.activeIndex;
    this.activeIndex = 1 - killedIndex;
    this.servers[killedIndex] = await this.start(killedIndex);
    return this.active;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }
}

/** Queries that count rows of half a transaction, by description. */
const inconsistencyQueries: Readonly<Record<string, string>> = {
  'record without its current version':
    'SELECT count(*) FROM record r LEFT JOIN version v ON v.pk = r.current AND v.record = r.pk AND v.version = r.version WHERE v.pk IS NULL',
  'record without its time':
    'SELECT count(*) FROM record r JOIN version v ON v.pk = r.current LEFT JOIN updated u ON u.record = r.pk AND u.last_updated = v.last_updated WHERE u.record IS NULL',
  'record with a gap in its versions':
    'SELECT count(*) FROM record r WHERE r.version <> (SELECT count(*) FROM version v WHERE v.record = r.pk)',
  'record without references':
    'SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM reference f WHERE f.record = r.pk)',
  'version without its one audit entry': `SELECT count(*) FROM version v LEFT JOIN (${entriesSql}) a ON a.what = ${addressSql} AND a.version_after = v.version WHERE a.entries IS DISTINCT FROM 1`,
  'audit entry of a version that is not there': `SELECT count(*) FROM (${entriesSql}) a LEFT JOIN version v ON a.what = ${addressSql} AND a.version_after = v.version WHERE v.pk IS NULL`,
};

/** Reads the whole content of a store without the code of the product. */
export function readSharedStore(port: number): Promise<StoreContent> {
  return asAdmin(port, async (admin) => {
    await admin.query('SET search_path = chartkeeper');
    const { rows } = await admin.query<VersionRow>('SELECT type, id, version, sha256, body FROM version');
    const disagreements: string[] = [];
    for (const [description, text] of Object.entries(inconsistencyQueries)) {
      const { rows: countRows } = await admin.query<{ count: string }>(text);
      const count = Number(countRows[0]?.count);
      if (count > 0) disagreements.push(`${count} × ${description}`);
    }
    return toStoreContent(rows, disagreements);
  });
}

/** Compares a store without writers with the ledger of its clients. Returns the number of its versions. */
export async function expectSharedAgreement(port: number, ledger: Ledger): Promise<number> {
  const { versions, inconsistencies } = await readSharedStore(port);
  if (ledger.withoutOutcome > 0)
    throw new FaultError(`${ledger.withoutOutcome} refusals were answered without an OperationOutcome`);
  const differences = [
    ...inconsistencies,
    ...findDuplicateWrites(versions),
    ...formatDifferences(ledger.compare(versions)),
  ];
  if (differences.length > 0) throw new FaultError(differences.slice(0, 5).join('; '));
  return versions.length;
}

/** Each write has a unique mark. Two versions with the same mark are a write that was made twice. */
function findDuplicateWrites(versions: readonly StoredVersion[]): string[] {
  const marks = versions.map(({ text }) => readMark(text)).filter((mark) => mark !== '');
  const duplicateCount = marks.length - new Set(marks).size;
  return duplicateCount > 0 ? [`${duplicateCount} writes were made twice`] : [];
}

/** Asserts that the audit log is intact, by the verification of the product. */
export async function expectIntactAuditLog(server: FaultServer): Promise<void> {
  const { status, text } = await send(server, 'POST', '/app/audit/verify');
  if (status !== 200 || text.includes('"broken"'))
    throw new FaultError(`The audit trail is not whole: ${status} ${text.slice(0, 300)}`);
}

/** Asserts that the writers got only these statuses. */
export function expectStatuses({ statuses }: Ledger, allowedStatuses: readonly number[]): void {
  const unexpected = [...statuses.keys()].filter((status) => !allowedStatuses.includes(status));
  if (unexpected.length > 0) throw new FaultError(`Writes were answered ${unexpected.join(', ')}`);
}

/** Creates a record with a unique mark, records the outcome in the ledger and returns the response. */
export async function createMarked(
  server: FaultServer,
  ledger: Ledger,
  description = 'Marked',
): Promise<Answer> {
  const title = ledger.nextTitle();
  const record = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title, description };
  const body = JSON.stringify({ ...record, subject: { reference: 'Patient/marked' } });
  const response = await send(server, 'POST', pathOf('CarePlan'), body);
  const { status, text } = response;
  ledger.count(status);
  if (status === 201) {
    const { id } = JSON.parse(text) as { id: string };
    ledger.acknowledge(title, { key: `CarePlan/${id}/_history/1`, text });
  } else if (!unconfirmedStatuses.includes(status)) ledger.refuse(title, text.includes('OperationOutcome'));
  return response;
}
