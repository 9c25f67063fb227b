import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOf } from '../../core/api/contract.ts';
import {
  beginCluster,
  clusterOwner,
  isRunning,
  postgresPrograms,
  startCluster,
  stopCluster,
} from '../../server/testing/postgres.ts';
import { countReadable } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { send, type FaultServer } from '../server.ts';
import {
  asAdmin,
  durableSettings,
  createMarked,
  expectSharedAgreement,
  expectIntactAuditLog,
  expectStatuses,
  createSharedStore,
  noPostgres,
  serveShared,
  unconfirmedStatuses,
} from '../shared-store.ts';
import { noSmallDisk, onSmallDisk, type SmallDisk } from '../small-disk.ts';
import { waitUntil } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 5, short: 1 } as const;

/** Bytes of a disk for the tables only, and of one for the whole cluster. */
const diskBytes = { tables: 96 * 1024 * 1024, all: 384 * 1024 * 1024 } as const;

const plansPath = pathOf('CarePlan');

/** The same error code as with a data folder. */
const fullDiskCode = '"code":"server.diskFull"';

/** The disk of a shared store fills up while clients write, and has space again later. */
export const sharedDiskFull: FaultCase = {
  name: 'shared-disk-full',
  claim:
    'On a full disk of a shared store, writes are 507 as in a data folder, reads and searches continue, and writes resume as soon as there is space. If the database stops because its log has no space, requests are 503 until it is started again. No acknowledged write is lost.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { folder, tally } = context;
  for (const [name, work] of [
    ['tables', fillTables],
    ['all', fillLog],
  ] as const) {
    const caseFolder = join(folder, name);
    await mkdir(caseFolder);
    if (!(await onSmallDisk(caseFolder, diskBytes[name], (disk) => work(disk, caseFolder, context))))
      return { result: 'not run', reason: noSmallDisk };
  }
  return { result: 'passed', figures: tally.figures };
}

/** The tables are on the small disk, the log is not. */
async function fillTables(
  disk: SmallDisk,
  caseFolder: string,
  { runLength, seed, tally }: FaultContext,
): Promise<void> {
  const [cluster, tablesFolder] = [join(caseFolder, 'postgres'), join(disk.path, 'tables')];
  const port = await startCluster(cluster, { settings: durableSettings });
  try {
    await mkdir(tablesFolder);
    const { uid, gid } = clusterOwner();
    if (uid !== undefined && gid !== undefined) await chown(tablesFolder, uid, gid);
    await asAdmin(
      port,
      (admin) => admin.query(`CREATE TABLESPACE small LOCATION '${tablesFolder}'`),
      'postgres',
    );
    await createSharedStore(port, 'small');
    const server = await serveShared(join(caseFolder, 'server'), [port]);
    const ledger = new Ledger();
    const writers = startWriters({
      server,
      ledger,
      seed,
      stream: 0,
      isPersistent: true,
      unconfirmedStatuses,
    });
    await ledger.waitFor(100);
    for (let round = 0; round < rounds[runLength]; round += 1) {
      await disk.fill();
      await waitUntil('A write that finds no room', () => isFull(server, ledger));
      tally.add('reads while the disk was full', await countReadable(server, ledger));
      await disk.empty();
      await ledger.waitFor(ledger.acknowledged.size + 100);
      tally.add('times full', 1);
    }
    await writers.stop();
    expectStatuses(ledger, [200, 201, 400, 412, 507]);
    await expectIntactAuditLog(server);
    tally.add('reads afterwards', await countReadable(server, ledger));
    await server.stop();
    await expectSharedAgreement(port, ledger);
    tally.add('acknowledged writes', ledger.acknowledged.size);
  } finally {
    stopCluster(cluster);
  }
}

/** Writes a record. Returns true if it is rejected because of the full disk. */
async function isFull(server: FaultServer, ledger: Ledger): Promise<boolean> {
  const { status, text, headers } = await createMarked(server, ledger, 'x'.repeat(20_000));
  if (status === 201 || unconfirmedStatuses.includes(status)) return false;
  if (status !== 507 || !text.includes(fullDiskCode) || headers.get('Retry-After') === null)
    throw new FaultError(`A write was answered ${status}: ${text}`);
  const searchResponse = await send(server, 'GET', `${plansPath}?subject=Patient/marked&_summary=count`);
  if (searchResponse.status !== 200) throw new FaultError(`A search was answered ${searchResponse.status}`);
  return true;
}

/** Tables and log are on the small disk. The database stops when its log has no space. */
async function fillLog(disk: SmallDisk, caseFolder: string, { seed, tally }: FaultContext): Promise<void> {
  const cluster = join(disk.path, 'postgres');
  const settings = { ...durableSettings, max_wal_size: '48MB', min_wal_size: '32MB' };
  const port = await startCluster(cluster, { settings });
  try {
    await createSharedStore(port);
    const server = await serveShared(join(caseFolder, 'server'), [port]);
    const ledger = new Ledger();
    const writers = startWriters({
      server,
      ledger,
      seed,
      stream: 1,
      isPersistent: true,
      unconfirmedStatuses,
    });
    await ledger.waitFor(100);
    await disk.fill();
    await waitUntil('The end of the database', () => hasStopped(port));
    const countBefore = ledger.statuses.get(503) ?? 0;
    await waitUntil('A write that is refused', () => (ledger.statuses.get(503) ?? 0) > countBefore + 10);
    const searchResponse = await send(server, 'GET', `${plansPath}?_count=1`);
    const liveResponse = await send(server, 'GET', '/livez');
    if (searchResponse.status !== 503 || liveResponse.status !== 200)
      throw new FaultError(
        `Without a database a search was answered ${searchResponse.status}, /livez ${liveResponse.status}`,
      );
    await disk.empty();
    if (!isRunning(cluster)) await beginCluster(cluster, settings, port);
    await ledger.waitFor(ledger.acknowledged.size + 100);
    await writers.stop();
    expectStatuses(ledger, [200, 201, 400, 412, 507, ...unconfirmedStatuses]);
    await expectIntactAuditLog(server);
    await server.stop();
    await expectSharedAgreement(port, ledger);
    tally.add('stopped by a full log', 1);
    tally.add('acknowledged writes', ledger.acknowledged.size);
  } finally {
    stopCluster(cluster);
  }
}

/** Makes the database start another log file. Returns true if it stopped because of that. */
async function hasStopped(port: number): Promise<boolean> {
  try {
    await asAdmin(port, async (admin) => {
      await admin.query("SELECT pg_logical_emit_message(false, 'full', repeat('x', 100000))");
      await admin.query('SELECT pg_switch_wal()');
    });
    return false;
  } catch {
    return true;
  }
}
