/** The databases of `bench/shared.ts`, in a separate durable cluster. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asAdmin, beginCluster, startCluster, stopCluster } from '../server/testing/postgres.ts';
import { migrate } from '../server/shared/postgres/migrate.ts';
import { fill } from './processes.ts';
import type { CleanupSteps } from './stores.ts';

/**
 * Settings that differ from PostgreSQL's defaults: memory as its manual recommends for 24 GiB, half of it
 * left to other processes.
 */
export const clusterSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  shared_buffers: '4GB',
  effective_cache_size: '12GB',
  work_mem: '32MB',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  checkpoint_timeout: '15min',
  shared_preload_libraries: 'pg_stat_statements',
};

/** Both databases with the same records. */
export interface SharedStores {
  readonly records: number;
  /** Addresses for our server's role, the bare handler and the superuser. */
  readonly ours: string;
  readonly bare: string;
  readonly admin: string;
  /** File of a sample of the records. */
  readonly sample: string;
  /** Parent folder of the servers' data folders. */
  readonly folder: string;
}

/**
 * Starts the cluster of a folder, and creates it if needed. Returns its port. A running cluster stays as it
 * is.
 */
export async function startShared(folder: string, cleanupSteps: CleanupSteps): Promise<number> {
  const cluster = join(folder, 'cluster');
  const exists = existsSync(join(folder, 'cluster.made'));
  await mkdir(folder, { recursive: true });
  const pidText = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (pidText !== undefined) return Number(pidText.split('\n')[3]);
  const port = exists
    ? await beginCluster(cluster, clusterSettings)
    : await startCluster(cluster, { settings: clusterSettings });
  cleanupSteps.push(async () => {
    stopCluster(cluster, 'fast');
    await Promise.resolve();
  });
  if (!exists) {
    await asAdmin(port, 'postgres', (admin) => admin.query('CREATE ROLE server LOGIN'));
    await writeFile(join(folder, 'cluster.made'), '');
  }
  return port;
}

/** Returns the process id of the postmaster of a folder's cluster, the parent of its other processes. */
export async function readPostmasterPid(folder: string): Promise<number> {
  const pidText = await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8');
  return Number(pidText.split('\n')[0]);
}

/** Fills both databases unless an earlier run has filled them. */
export async function fillSharedStores(
  folder: string,
  port: number,
  { records, seed, bare }: { readonly records: number; readonly seed: number; readonly bare: boolean },
  log: (line: string) => void,
): Promise<SharedStores> {
  const sample = join(folder, `${records}.ndjson`);
  const formatAddress = (role: string, name: string) =>
    `postgres://${role}@127.0.0.1:${port}/${name}_${records}`;
  const fillOnce = async (name: string, fillStore: () => Promise<void>) => {
    const markerFile = join(folder, `${name}_${records}.filled`);
    if (existsSync(markerFile)) return;
    await asAdmin(port, 'postgres', async (admin) => {
      await admin.query(`DROP DATABASE IF EXISTS ${name}_${records} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name}_${records}`);
    });
    log(`Filling ${name} with ${records} records…`);
    await fillStore();
    await writeFile(markerFile, '');
  };
  await fillOnce('ours', async () => {
    await migrate(formatAddress('admin', 'ours'), 'server');
    await fill({ kind: 'shared', data: formatAddress('admin', 'ours'), records, seed, sample });
  });
  if (bare)
    await fillOnce('bare', () =>
      fill({ kind: 'shared-bare', data: formatAddress('admin', 'bare'), records, seed }),
    );
  return {
    records,
    ours: formatAddress('server', 'ours'),
    admin: formatAddress('admin', 'ours'),
    bare: formatAddress('admin', 'bare'),
    sample,
    folder,
  };
}
