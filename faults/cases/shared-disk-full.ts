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
import { expectAnswers } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { send, type FaultServer } from '../server.ts';
import {
  asAdmin,
  careful,
  createMarked,
  expectSharedAgreement,
  expectSoundTrail,
  expectStatuses,
  makeStore,
  noPostgres,
  serve,
  unsure,
} from '../shared-store.ts';
import { noSmallDisk, onSmallDisk, type SmallDisk } from '../small-disk.ts';
import { until } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 5, short: 1 } as const;

/** Bytes of the disk that has the tables alone, and of the one that has all. */
const size = { tables: 96 * 1024 * 1024, all: 384 * 1024 * 1024 } as const;

const plans = pathOf('CarePlan');

/** What a data folder's server says, too. */
const words = 'The disk is full, and nothing was stored; records can be read. Make room, and try again.';

/** The database of a shared store has no room while clients write, and has some again. */
export const sharedDiskFull: FaultCase = {
  name: 'shared-disk-full',
  claim:
    'Where the disk of a shared store is full, writes are answered 507 as on a data folder, reads and searches go on, and writes go on by themselves once there is room. Where the database stops, as its log finds no room, requests are 503 until somebody starts it again. Nothing acknowledged is lost.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { folder, tally } = context;
  for (const [name, work] of [
    ['tables', fullTables],
    ['all', fullLog],
  ] as const) {
    const place = join(folder, name);
    await mkdir(place);
    if (!(await onSmallDisk(place, size[name], (disk) => work(disk, place, context))))
      return { result: 'not run', reason: noSmallDisk };
  }
  return { result: 'passed', figures: tally.figures };
}

/** The tables lie on the small disk, the log does not. */
async function fullTables(
  disk: SmallDisk,
  place: string,
  { extent, seed, tally }: FaultContext,
): Promise<void> {
  const [cluster, tables] = [join(place, 'postgres'), join(disk.path, 'tables')];
  const port = await startCluster(cluster, { settings: careful });
  try {
    await mkdir(tables);
    const { uid, gid } = clusterOwner();
    if (uid !== undefined && gid !== undefined) await chown(tables, uid, gid);
    await asAdmin(port, (admin) => admin.query(`CREATE TABLESPACE small LOCATION '${tables}'`), 'postgres');
    await makeStore(port, 'small');
    const server = await serve(join(place, 'server'), [port]);
    const ledger = new Ledger();
    const writers = startWriters({ server, ledger, seed, stream: 0, persist: true, unsure });
    await ledger.reached(100);
    for (let round = 0; round < rounds[extent]; round += 1) {
      await disk.fill();
      await until('A write that finds no room', () => isFull(server, ledger));
      tally.add('reads while the disk was full', await expectAnswers(server, ledger));
      await disk.empty();
      await ledger.reached(ledger.acknowledged.size + 100);
      tally.add('times full', 1);
    }
    await writers.stop();
    expectStatuses(ledger, [200, 201, 400, 412, 507]);
    await expectSoundTrail(server);
    tally.add('reads afterwards', await expectAnswers(server, ledger));
    await server.stop();
    await expectSharedAgreement(port, ledger);
    tally.add('acknowledged writes', ledger.acknowledged.size);
  } finally {
    stopCluster(cluster);
  }
}

/** Writes; answers whether that is refused as it is where the disk is full. */
async function isFull(server: FaultServer, ledger: Ledger): Promise<boolean> {
  const { status, text, headers } = await createMarked(server, ledger, 'x'.repeat(20_000));
  if (status === 201 || unsure.includes(status)) return false;
  if (status !== 507 || !text.includes(words) || headers.get('Retry-After') === null)
    throw new FaultError(`A write was answered ${status}: ${text}`);
  const found = await send(server, 'GET', `${plans}?subject=Patient/marked&_summary=count`);
  if (found.status !== 200) throw new FaultError(`A search was answered ${found.status}`);
  return true;
}

/** Tables and log lie on the small disk: the database stops where its log finds no room. */
async function fullLog(disk: SmallDisk, place: string, { seed, tally }: FaultContext): Promise<void> {
  const cluster = join(disk.path, 'postgres');
  const settings = { ...careful, max_wal_size: '48MB', min_wal_size: '32MB' };
  const port = await startCluster(cluster, { settings });
  try {
    await makeStore(port);
    const server = await serve(join(place, 'server'), [port]);
    const ledger = new Ledger();
    const writers = startWriters({ server, ledger, seed, stream: 1, persist: true, unsure });
    await ledger.reached(100);
    await disk.fill();
    await until('The end of the database', () => stopped(port));
    const refused = ledger.statuses.get(503) ?? 0;
    await until('A write that is refused', () => (ledger.statuses.get(503) ?? 0) > refused + 10);
    const read = await send(server, 'GET', `${plans}?_count=1`);
    const live = await send(server, 'GET', '/livez');
    if (read.status !== 503 || live.status !== 200)
      throw new FaultError(`Without a database a search was answered ${read.status}, /livez ${live.status}`);
    await disk.empty();
    if (!isRunning(cluster)) await beginCluster(cluster, settings, port);
    await ledger.reached(ledger.acknowledged.size + 100);
    await writers.stop();
    expectStatuses(ledger, [200, 201, 400, 412, 507, ...unsure]);
    await expectSoundTrail(server);
    await server.stop();
    await expectSharedAgreement(port, ledger);
    tally.add('stopped by a full log', 1);
    tally.add('acknowledged writes', ledger.acknowledged.size);
  } finally {
    stopCluster(cluster);
  }
}

/** Has the database begin another file of its log; answers whether it stopped over that. */
async function stopped(port: number): Promise<boolean> {
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
