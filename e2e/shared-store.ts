/** Shared stores for end-to-end tests: a database with its tables for each. */
import { spawnSync } from 'node:child_process';
import { startBalancer } from '../server/testing/balancer.ts';
import { migratedDatabase, type TestDatabase } from '../server/testing/postgres.ts';
import { commandLine, newLink, startAlone, type TestServer } from './server-process.ts';

/**
 * With `CHARTKEEPER_TEST_ENGINE=postgres` each test has two servers over a store, behind a balancer without
 * affinity.
 */
export const onSharedStore = process.env.CHARTKEEPER_TEST_ENGINE === 'postgres';

/**
 * Templates for copies: an empty store, and stores moved out of folders. They end with the cluster of the
 * run.
 */
const templates = new Map<string, Promise<TestDatabase>>();

async function getTemplate(
  name: string,
  fill: (store: TestDatabase) => Promise<void>,
): Promise<TestDatabase> {
  const template =
    templates.get(name) ??
    migratedDatabase().then(async (store) => {
      await fill(store);
      return store;
    });
  templates.set(name, template);
  return template;
}

/** Creates a new store. */
export async function createStore(): Promise<TestDatabase> {
  return (await getTemplate('', () => Promise.resolve())).copy();
}

/** Stores by the data folder that represents them. */
const stores = new Map<string, Promise<TestDatabase>>();

/** Returns the store of a data folder, and creates it if needed. It is removed with the folder. */
export function getStore(dataDir: string): Promise<TestDatabase> {
  const store = stores.get(dataDir) ?? createStore();
  stores.set(dataDir, store);
  return store;
}

/** Fills the store of a folder with the content that a server left in another. */
export async function moveInto(sourceFolder: string, dataDir: string): Promise<void> {
  const pattern = getTemplate(sourceFolder, ({ keeper }) => {
    const parameters = [commandLine, 'move', '--from', sourceFolder, '--to', keeper];
    const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The folder was not moved: ${stderr}`);
    return Promise.resolve();
  });
  const store = pattern.then((template) => template.copy());
  stores.set(dataDir, store);
  await store;
}

/** Changes rows without the servers. Returns their number. */
export async function tamperStore(dataDir: string, sql: string): Promise<number> {
  const { admin } = await getStore(dataDir);
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

/** Loads the demo clinic into the store through a folder. */
async function loadDemo(dataDir: string): Promise<void> {
  const folder = `${dataDir}/demo`;
  await (await startAlone(folder, ['--demo'], dataDir)).stop();
  await moveInto(folder, dataDir);
}

/**
 * Starts servers over the store of a data folder behind one address. A port among the flags is the port of the address.
 */
export async function startServers(
  dataDir: string,
  flags: readonly string[],
  count: 1 | 2,
): Promise<TestServer> {
  if (flags.includes('--demo')) await loadDemo(dataDir);
  const portIndex = flags.indexOf('--port');
  const otherFlags = flags.filter(
    (flag, index) => flag !== '--demo' && (portIndex < 0 || (index !== portIndex && index !== portIndex + 1)),
  );
  const port = portIndex < 0 ? 0 : Number(flags[portIndex + 1]);
  const [{ address }, balancer] = await Promise.all([getStore(dataDir), startBalancer(port)]);
  const shared = [...otherFlags, '--store', address, '--public-url', balancer.origin];
  const firstServer = await startAlone(dataDir, shared);
  const servers = [firstServer];
  if (count === 2) servers.push(await startAlone(`${dataDir}/other`, shared, dataDir));
  const { origin } = balancer;
  const { token } = firstServer;
  let printedLink: string | undefined = await firstServer.link();
  balancer.servers = servers.map((server) => server.origin);
  const end = (method: 'stop' | 'kill') => async () => {
    await Promise.all(servers.map((server) => server[method]()));
    await balancer.close();
  };
  return {
    origin,
    token,
    dataDir,
    async link() {
      const link = printedLink ?? (await newLink({ origin, token }));
      printedLink = undefined;
      return link;
    },
    log: () => servers.map((server) => server.log()).join(''),
    stop: end('stop'),
    kill: end('kill'),
  };
}
