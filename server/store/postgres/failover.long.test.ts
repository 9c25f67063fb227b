/** The primary is killed under load, a standby that confirms each commit takes over: what was acknowledged is there, once. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import {
  postgresPrograms,
  startCluster,
  startStandby,
  stopCluster,
  promote,
} from '../../testing/postgres.ts';
import { startSharedTestServer } from '../../testing/shared-server.ts';
import { carePlan } from '../../testing/test-server.ts';
import { migrate } from './migrate.ts';

const records = '/fhir-r4/v1/CarePlan';

test.skipIf(postgresPrograms() === undefined)(
  'where a primary is killed under load and its standby takes over, nothing is lost or doubled (not run without PostgreSQL)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-failover-'));
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const settings = { wal_level: 'replica', synchronous_commit: 'on', fsync: 'on' };
    const primary = await startCluster(first, { settings });
    const standby = await startStandby(second, primary);
    onTestFinished(() => {
      stopCluster(second);
      rmSync(folder, { recursive: true, force: true });
    });
    const admin = new pg.Client({ host: '127.0.0.1', port: primary, user: 'admin', database: 'postgres' });
    admin.on('error', () => undefined);
    await admin.connect();
    await admin.query('CREATE ROLE keeper LOGIN CREATEDB; CREATE ROLE server LOGIN');
    await admin.query('CREATE DATABASE charts OWNER keeper');
    await migrate(`postgres://keeper@127.0.0.1:${primary}/charts`, 'server');
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await admin.query('SELECT pg_reload_conf()');
    const address = `postgres://server@127.0.0.1:${primary},127.0.0.1:${standby}/charts`;
    const [one, other] = [await startSharedTestServer(address), await startSharedTestServer(address)];

    const [stored, statuses] = [new Map<string, string>(), new Set<number>()];
    let [writing, tried, longest, last] = [true, 0, 0, performance.now()];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const server = writer % 2 === 0 ? one : other;
      while (writing) {
        const subject = `Patient/s${(tried += 1)}`;
        const answer = await server.send('POST', records, carePlan(subject));
        statuses.add(answer.status);
        if (answer.status !== 201) continue;
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
        stored.set(subject, answer.json.id);
      }
    });
    await expect.poll(() => stored.size).toBeGreaterThan(300);
    const [pid] = readFileSync(join(first, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    rmSync(join(first, 'postmaster.pid'));
    await setTimeout(300);
    promote(second);
    const before = stored.size;
    await expect.poll(() => stored.size).toBeGreaterThan(before + 300);
    writing = false;
    await Promise.all(writers);

    expect([...statuses].sort()).toEqual([201, 503]);
    const counted = async (subject: string) => {
      const { total, entry } = (await one.send('GET', `${records}?subject=${subject}`)).json;
      return [total, entry?.[0]?.resource.id];
    };
    for (const [subject, id] of stored) expect(await counted(subject)).toEqual([1, id]);
    const { total } = (await other.send('GET', `${records}?_summary=count`)).json;
    expect(total).toBeLessThanOrEqual(tried);
    const verdict = (await one.send('POST', '/app/audit/verify')).json;
    expect(verdict.broken).toBeUndefined();
    process.stdout.write(
      `${stored.size} acknowledged of ${tried}, ${total} there; longest gap ${Math.round(longest)} ms\n`,
    );
    for (const server of [one, other]) await server.remove();
  },
);
