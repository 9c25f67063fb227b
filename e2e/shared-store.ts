/** Stores that servers share, for end-to-end tests: a database for each, with its tables. */
import { spawnSync } from 'node:child_process';
import { startBalancer } from '../server/testing/balancer.ts';
import { migratedDatabase, type TestDatabase } from '../server/testing/postgres.ts';
import { commandLine, newLink, startAlone, type TestServer } from './server-process.ts';

/** With `CHARTKEEPER_TEST_ENGINE=postgres` each test has two servers over a store, behind a balancer without affinity. */
export const onSharedStore = process.env.CHARTKEEPER_TEST_ENGINE === 'postgres';

/** What others are copies of: an empty store, and what was moved out of folders. Goes with the cluster of the run. */
const patterns = new Map<string, Promise<TestDatabase>>();

async function patternOf(name: string, fill: (store: TestDatabase) => Promise<void>): Promise<TestDatabase> {
  const known =
    patterns.get(name) ??
    migratedDatabase().then(async (store) => {
      await fill(store);
      return store;
    });
  patterns.set(name, known);
  return known;
}

/** A new store. */
export async function makeStore(): Promise<TestDatabase> {
  return (await patternOf('', () => Promise.resolve())).copy();
}

/** By the data folder that stands for it. */
const stores = new Map<string, Promise<TestDatabase>>();

/** The store of a data folder, which comes and goes with it. */
export function storeOf(dataDir: string): Promise<TestDatabase> {
  const known = stores.get(dataDir) ?? makeStore();
  stores.set(dataDir, known);
  return known;
}

/** Has the store of a folder hold what a server left in another. */
export async function moveInto(from: string, dataDir: string): Promise<void> {
  const pattern = patternOf(from, ({ keeper }) => {
    const parameters = [commandLine, 'move', '--from', from, '--to', keeper];
    const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The folder was not moved: ${stderr}`);
    return Promise.resolve();
  });
  const store = pattern.then((one) => one.copy());
  stores.set(dataDir, store);
  await store;
}

/** Changes rows behind the servers' back; answers how many. */
export async function tamperStore(dataDir: string, sql: string): Promise<number> {
  const { admin } = await storeOf(dataDir);
  return admin(async (client) => {
    await client.query('SET search_path = chartkeeper; SET session_replication_role = replica');
    return (await client.query(sql)).rowCount ?? 0;
  });
}

export async function removeStore(dataDir: string): Promise<void> {
  const store = stores.get(dataDir);
  stores.delete(dataDir);
  await (await store)?.remove();
}

/** The demo clinic is loaded into a folder, and comes from there. */
async function loadDemo(dataDir: string): Promise<void> {
  const folder = `${dataDir}/demo`;
  await (await startAlone(folder, ['--demo'], dataDir)).stop();
  await moveInto(folder, dataDir);
}

/** Servers over the store of a data folder, as one address; a port among the flags is that of the address. */
export async function startServers(
  dataDir: string,
  flags: readonly string[],
  count: 1 | 2,
): Promise<TestServer> {
  if (flags.includes('--demo')) await loadDemo(dataDir);
  const at = flags.indexOf('--port');
  const others = flags.filter(
    (flag, place) => flag !== '--demo' && (at < 0 || (place !== at && place !== at + 1)),
  );
  const port = at < 0 ? 0 : Number(flags[at + 1]);
  const [{ server: address }, balancer] = await Promise.all([storeOf(dataDir), startBalancer(port)]);
  const shared = [...others, '--store', address, '--public-url', balancer.origin];
  const first = await startAlone(dataDir, shared);
  const servers = [first];
  if (count === 2) servers.push(await startAlone(`${dataDir}/other`, shared, dataDir));
  const { origin } = balancer;
  const { token } = first;
  let printed: string | undefined = await first.link();
  balancer.servers = servers.map((one) => one.origin);
  const end = (how: 'stop' | 'kill') => async () => {
    await Promise.all(servers.map((one) => one[how]()));
    await balancer.close();
  };
  return {
    ...{ origin, token, dataDir },
    async link() {
      const link = printed ?? (await newLink({ origin, token }));
      printed = undefined;
      return link;
    },
    log: () => servers.map((one) => one.log()).join(''),
    stop: end('stop'),
    kill: end('kill'),
  };
}
