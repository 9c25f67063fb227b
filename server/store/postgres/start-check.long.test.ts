/** Which databases a store refuses, with two clusters: one that follows, and one that a dump was restored into. */
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
const roles = 'CREATE ROLE keeper LOGIN CREATEDB; CREATE ROLE server LOGIN';

describe.skipIf(programs === undefined)('a store (not run where PostgreSQL is not installed)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-start-check-'));
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let [primary, standby] = [0, 0];
  const addressAt = (port: number, role = 'server') => `postgres://${role}@127.0.0.1:${port}/charts`;
  beforeAll(async () => {
    primary = await startCluster(first, { settings: { wal_level: 'replica' } });
    await asAdmin(primary, 'postgres', (admin) => admin.query(roles));
    await asAdmin(primary, 'postgres', (admin) => admin.query('CREATE DATABASE charts OWNER keeper'));
    await migrate(addressAt(primary, 'keeper'), 'server');
    const store = await openPostgresStore(addressAt(primary));
    for (let at = 0; at < 50; at += 1) await store.insert(newComposition(`c-${at}`, 1, {}));
    await store.close();
    standby = await startStandby(second, primary);
  });
  afterAll(() => {
    for (const one of [third, second, first]) stopCluster(one);
    rmSync(folder, { recursive: true, force: true });
  });

  test('refuses the records of a dump that was restored into another cluster', async () => {
    // The numbers of a cluster that was in use for longer.
    await asAdmin(primary, 'charts', async (admin) => {
      for (let at = 0; at < 2000; at += 1) await admin.query('SELECT pg_current_xact_id()');
    });
    const store = await openPostgresStore(addressAt(primary));
    await store.insert(newComposition('last', 1, {}));
    await store.close();
    const port = await startCluster(third);
    await asAdmin(port, 'postgres', (admin) => admin.query(roles));
    const file = join(folder, 'dump');
    const run = (program: string, ...given: readonly string[]) =>
      spawnSync(join(programs ?? '', program), ['-h', '127.0.0.1', '-U', 'admin', ...given], {
        encoding: 'utf8',
      });
    expect(run('pg_dump', '-p', String(primary), '-Fc', '-f', file, 'charts').stderr).toBe('');
    expect(run('pg_restore', '-p', String(port), '-C', '-d', 'postgres', file).stderr).toBe('');
    await expect(openPostgresStore(addressAt(port))).rejects.toThrow('written in another cluster');
  });

  describe.skipIf(!hasReadBalancer())('behind pgpool (not run where it is not installed)', () => {
    test('is refused where reads go to the standby too, and as a pooler where they do not', async () => {
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
