/**
 * Kills a server of a shared store during validation. Another server continues and has the same result as a
 * single one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { startSharedServer } from './start-shared.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../testing/postgres.ts';
import { serverOfTest } from '../testing/test-server.ts';

const now = Date.UTC(2026, 10, 22, 12);
const count = 4000;
const script = resolve(import.meta.dirname, '../testing/judging-process.ts');

const checks = [
  ['titled', "title.endsWith('7').not()", ''],
  ['known', "activity.all(detail.status != 'unknown')", "activity.where(detail.status = 'unknown')"],
] as const;

function plan(number: number): string {
  return JSON.stringify({
    resourceType: 'CarePlan',
    id: `p-${number}`,
    status: 'active',
    intent: 'plan',
    title: `Plan ${number}`,
    subject: { reference: `Patient/${number % 100}` },
    ...(number % 3 === 0 && { period: { start: '2025-01-01', end: `202${5 + (number % 4)}-12-31` } }),
    ...(number % 9 === 0 && { basedOn: [{ reference: `CarePlan/gone-${number}` }] }),
    activity: [{ detail: { status: number % 5 === 0 ? 'unknown' : 'scheduled' } }],
  });
}

/** All rows that validation writes. */
async function judgedRows({ admin }: TestDatabase): Promise<unknown> {
  const queries = [
    `SELECT r.id, i.rule, i.severity, i.category, i.pointer, i.since FROM issue i JOIN record r ON r.pk = i.record`,
    'SELECT r.id, r.judge_again, r.sort_date, r.status, r.title FROM record r',
    'SELECT r.id, c.applied, c.skipped FROM check_result c JOIN record r ON r.pk = c.record',
    'SELECT r.id, f.key, f.target, f.target_type, f.target_base FROM reference f JOIN record r ON r.pk = f.record',
    'SELECT r.id, f.key, f.code, f.system FROM token f JOIN record r ON r.pk = f.record',
    'SELECT id, stamp, passing, halted FROM check_slot',
    'SELECT part, stamp FROM derivation',
  ];
  return admin(async (client) => {
    await client.query('SET search_path = chartkeeper');
    const tableRows: unknown[] = [];
    for (const text of queries) {
      const { rows } = await client.query<Record<string, unknown>>(text);
      expect(rows.length).toBeGreaterThan(0);
      tableRows.push(rows.map((row) => JSON.stringify(Object.values(row))).sort());
    }
    return tableRows;
  });
}

/** Changes the rows as another program would: some are wrong, and some are missing. */
function aged({ admin }: TestDatabase): Promise<unknown> {
  return admin((client) =>
    client.query(`SET search_path = chartkeeper;
      UPDATE derivation SET stamp = 'of another program';
      DELETE FROM reference WHERE record % 3 = 0;
      UPDATE token SET code = 'wrong' WHERE record % 4 = 0;
      DELETE FROM issue;
      UPDATE record SET judge_again = NULL, title = 'wrong', sort_date = 0 WHERE pk % 2 = 0;
      DELETE FROM check_slot; DELETE FROM check_result; DELETE FROM relation_look;`),
  );
}

test.skipIf(postgresPrograms() === undefined)(
  'finishes the validation of a killed server (not run without PostgreSQL)',
  async () => {
    const database = await migratedDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-judging-'));
    const ticks: (() => void)[] = [];
    const survivor = await serverOfTest((testOptions) =>
      startSharedServer({
        ...testOptions,
        address: database.address,
        clock: () => now,
        scheduleEvery: (_milliseconds, work) => {
          ticks.push(work);
          return () => undefined;
        },
      }),
    );
    onTestFinished(async () => {
      await survivor.remove();
      await database.remove();
      rmSync(folder, { recursive: true, force: true });
    });
    const { validation } = survivor;
    const idle = async () => {
      for (const work of [validation.rebuilder, validation.checks, validation.relations]) await work.idle();
    };
    const tick = async () => {
      for (const work of ticks) work();
      await idle();
    };
    for (const [id, expression, points] of checks) {
      const check = {
        title: id,
        type: 'CarePlan',
        holds: expression,
        ...(points && { points }),
        version: 0,
        active: true,
      };
      const checkDefaults = { category: 'completeness', severity: 'warning' };
      const { status } = await survivor.send(
        'PUT',
        `/app/checks/${id}`,
        JSON.stringify({ ...check, ...checkDefaults }),
      );
      expect(status).toBe(200);
    }
    const plans = Array.from({ length: count }, (_, number) => plan(number)).join('\n');
    const type = { 'Content-Type': 'application/x-ndjson' };
    const { text } = await survivor.send('POST', '/app/import?level=off&keepIds=true', plans, type);
    expect(text).toContain(`"stored":${count}`);

    // A single server with the same initial data.
    await idle();
    await aged(database);
    const quiet = judgingProcess(folder, database);
    onTestFinished(quiet.stop);
    expect((await quiet.exit)[0]).toBe(0);
    const expectedRows = await judgedRows(database);

    for (const slices of [4, 12]) {
      await aged(database);
      const { stdout, stop, exit } = judgingProcess(folder, database);
      onTestFinished(stop);
      const firstBatchStarted = Promise.withResolvers<true>();
      let remainingSlices = slices;
      createInterface(stdout).on('line', () => {
        firstBatchStarted.resolve(true);
        remainingSlices -= 1;
        if (remainingSlices === 0) stop();
      });
      // The other server polls meanwhile and leaves the work to its owner.
      await firstBatchStarted.promise;
      await tick();
      expect((await exit)[1]).toBe('SIGKILL');
      expect(await judgedRows(database).catch(() => undefined)).not.toEqual(expectedRows);
      await expect
        .poll(
          async () => {
            await tick();
            return (await judgedRows(database).catch(() => [])) as unknown[];
          },
          { interval: 500 },
        )
        .toEqual(expectedRows);
    }
  },
);

function judgingProcess(folder: string, { address }: TestDatabase) {
  const child = spawn(process.execPath, [script, folder, String(now), address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.resume();
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  return { stdout: child.stdout, exit, stop: () => void child.kill('SIGKILL') };
}
