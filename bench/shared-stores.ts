/** The databases of `bench/shared.ts`, in a cluster of their own that keeps what it acknowledged. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asAdmin, beginCluster, startCluster, stopCluster } from '../server/testing/postgres.ts';
import { migrate } from '../server/store/postgres/migrate.ts';
import { fill } from './processes.ts';
import type { Cleanup } from './stores.ts';

/** What differs from PostgreSQL's own: memory as its manual says for a machine of 24 GiB, of which half is left to others. */
export const clusterSettings = {
  ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', autovacuum: 'on' },
  ...{ shared_buffers: '4GB', effective_cache_size: '12GB', work_mem: '32MB', max_wal_size: '4GB' },
  ...{ random_page_cost: '1.1', checkpoint_timeout: '15min', shared_preload_libraries: 'pg_stat_statements' },
};

/** Both databases with the same records. */
export interface SharedStores {
  readonly records: number;
  /** Addresses: of our server's role, of the bare handler, and of who may do everything. */
  readonly ours: string;
  readonly bare: string;
  readonly admin: string;
  /** File of a sample of the records. */
  readonly sample: string;
  /** For the servers' own data folders. */
  readonly folder: string;
}

/** Starts the cluster of a folder, which is made where it is not there; answers its port. One that runs stays as it is. */
export async function startShared(folder: string, cleanup: Cleanup): Promise<number> {
  const cluster = join(folder, 'cluster');
  const isThere = existsSync(join(folder, 'cluster.made'));
  await mkdir(folder, { recursive: true });
  const running = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (running !== undefined) return Number(running.split('\n')[3]);
  const port = isThere
    ? await beginCluster(cluster, clusterSettings)
    : await startCluster(cluster, { settings: clusterSettings });
  cleanup.push(async () => {
    stopCluster(cluster, 'fast');
    await Promise.resolve();
  });
  if (!isThere) {
    await asAdmin(port, 'postgres', (admin) => admin.query('CREATE ROLE server LOGIN'));
    await writeFile(join(folder, 'cluster.made'), '');
  }
  return port;
}

/** The number of the first process of a folder's cluster, which is the parent of the others. */
export async function postmasterOf(folder: string): Promise<number> {
  const said = await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8');
  return Number(said.split('\n')[0]);
}

/** Fills both databases, where they are not there from a run before. */
export async function sharedStores(
  folder: string,
  port: number,
  { records, seed, bare }: { readonly records: number; readonly seed: number; readonly bare: boolean },
  log: (line: string) => void,
): Promise<SharedStores> {
  const sample = join(folder, `${records}.ndjson`);
  const of = (role: string, name: string) => `postgres://${role}@127.0.0.1:${port}/${name}_${records}`;
  const made = async (name: string, make: () => Promise<void>) => {
    const filled = join(folder, `${name}_${records}.filled`);
    if (existsSync(filled)) return;
    await asAdmin(port, 'postgres', async (admin) => {
      await admin.query(`DROP DATABASE IF EXISTS ${name}_${records} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name}_${records}`);
    });
    log(`Filling ${name} with ${records} records…`);
    await make();
    await writeFile(filled, '');
  };
  await made('ours', async () => {
    await migrate(of('admin', 'ours'), 'server');
    await fill({ kind: 'shared', data: of('admin', 'ours'), records, seed, sample });
  });
  if (bare) await made('bare', () => fill({ kind: 'shared-bare', data: of('admin', 'bare'), records, seed }));
  return {
    records,
    ours: of('server', 'ours'),
    admin: of('admin', 'ours'),
    bare: of('admin', 'bare'),
    sample,
    folder,
  };
}
