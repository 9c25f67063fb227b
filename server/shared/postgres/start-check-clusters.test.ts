/** Databases that a store rejects, with two clusters: a standby, and a restored dump. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasReadBalancer, startReadBalancer } from '../../testing/balancer-before-database.ts';
import { newComposition } from '../../testing/new-composition.ts';
import {
  asAdmin,
  postgresPrograms,
  startCluster,
  startStandby,
  stopCluster,
} from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

const programs = postgresPrograms();
const rolesSql = 'CREATE ROLE keeper LOGIN CREATEDB; CREATE ROLE server LOGIN';

describe.skipIf(programs === undefined)('shared store (not run where PostgreSQL is not installed)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-start-check-'));
  const [primaryFolder, standbyFolder, restoredFolder] = ['first', 'second', 'third'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  let [primary, standby] = [0, 0];
  const addressAt = (port: number, role = 'server') => `postgres://${role}@127.0.0.1:${port}/charts`;
  beforeAll(async () => {
    primary = await startCluster(primaryFolder, { settings: { wal_level: 'replica' } });
    await asAdmin(primary, 'postgres', (admin) => admin.query(rolesSql));
    await asAdmin(primary, 'postgres', (admin) => admin.query('CREATE DATABASE charts OWNER keeper'));
    await migrate(addressAt(primary, 'keeper'), 'server');
    const store = await openPostgresStore(addressAt(primary));
    for (let index = 0; index < 50; index += 1) await store.insert(newComposition(`c-${index}`, 1, {}));
    await store.close();
    standby = await startStandby(standbyFolder, primary);
  });
  afterAll(() => {
    for (const clusterFolder of [restoredFolder, standbyFolder, primaryFolder]) stopCluster(clusterFolder);
    rmSync(folder, { recursive: true, force: true });
  });

  test('rejects the records of a dump restored into another cluster', async () => {
    // Assigns transaction ids, as a cluster after long use.
    await asAdmin(primary, 'charts', async (admin) => {
      for (let index = 0; index < 2000; index += 1) await admin.query('SELECT pg_current_xact_id()');
    });
    const store = await openPostgresStore(addressAt(primary));
    await store.insert(newComposition('last', 1, {}));
    await store.close();
    const port = await startCluster(restoredFolder);
    await asAdmin(port, 'postgres', (admin) => admin.query(rolesSql));
    const file = join(folder, 'dump');
    const run = (program: string, ...programArguments: readonly string[]) =>
      spawnSync(join(programs ?? '', program), ['-h', '127.0.0.1', '-U', 'admin', ...programArguments], {
        encoding: 'utf8',
      });
    expect(run('pg_dump', '-p', String(primary), '-Fc', '-f', file, 'charts').stderr).toBe('');
    expect(run('pg_restore', '-p', String(port), '-C', '-d', 'postgres', file).stderr).toBe('');
    await expect(openPostgresStore(addressAt(port))).rejects.toThrow('written in another cluster');
  });

  describe.skipIf(!hasReadBalancer())('behind pgpool (not run where it is not installed)', () => {
    test('is rejected as balancer if reads go to the standby, otherwise as pooler', async () => {
      const balancing = await startReadBalancer(addressAt(primary), standby, true);
      try {
        await expect(openPostgresStore(balancing.address)).rejects.toThrow('another database than writes');
      } finally {
        await balancing.close();
      }
      const plain = await startReadBalancer(addressAt(primary), standby, false);
      try {
        await expect(openPostgresStore(plain.address)).rejects.toThrow('pooler such as PgBouncer or pgpool');
      } finally {
        await plain.close();
      }
    });
  });
});
