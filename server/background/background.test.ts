/** Work that several servers of one store could do is one server's at a time, and no work is left lying. */
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../testing/postgres.ts';
import { migrate } from '../shared/postgres/migrate.ts';
import { openPostgresStore } from '../shared/postgres/postgres-store.ts';
import { createBackground, type BackgroundParts } from './background.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('work of a shared store (not run where PostgreSQL is not installed)', () => {
  /** Work that two servers share, in batches. */
  async function servers(batchCount: number) {
    const state = { left: batchCount, under: 0, most: 0, by: [0, 0] as [number, number] };
    const works = await Promise.all(
      ([0, 1] as const).map(async (server) => {
        const store = await openPostgresStore(database?.address ?? '');
        const background = createBackground({
          store,
          leased: ['work'],
          async step() {
            if (state.left === 0) return false;
            state.under += 1;
            state.most = Math.max(state.most, state.under);
            // A batch takes a while, during which the other server may ask for it.
            await store.count();
            state.left -= 1;
            state.by[server] += 1;
            state.under -= 1;
            return true;
          },
          onFailure: (error) => expect.fail(String(error)),
        });
        onTestFinished(async () => {
          await background.close();
          await store.close();
        });
        return background;
      }),
    );
    return { state, works };
  }

  test('runs once although several servers have it to do', async () => {
    const { state, works } = await servers(60);
    for (const work of works) work.wake();
    await expect.poll(() => state.left, { interval: 20 }).toBe(0);
    expect([state.most, state.by[0] + state.by[1]]).toEqual([1, 60]);
    // A server that waited checks again and finds no work.
    for (const work of works) await work.idle();
    state.left = 5;
    works[1]?.wake();
    await expect.poll(() => state.left, { interval: 20 }).toBe(0);
  });

  test('hands work over when the lease of a stopped server expires', async () => {
    const { state, works } = await servers(3);
    const text = `INSERT INTO chartkeeper.lease VALUES ('work', 'gone', now() + interval '1 hour')
      ON CONFLICT (name) DO UPDATE SET holder = 'gone', until = excluded.until`;
    await database?.admin((admin) => admin.query(text));
    const [work] = works;
    work?.wake();
    await work?.idle();
    expect(state.left).toBe(3);
    await database?.admin((admin) => admin.query('UPDATE chartkeeper.lease SET until = now()'));
    await expect.poll(() => state.left, { interval: 20 }).toBe(0);
  });
});

/** A loop whose looks the test runs. */
function createLoop(parts: Omit<BackgroundParts, 'scheduleEvery'>) {
  const looks: (() => void)[] = [];
  const background = createBackground({
    ...parts,
    scheduleEvery(_milliseconds, look) {
      looks.push(look);
      return () => undefined;
    },
  });
  onTestFinished(() => background.close());
  return { ...background, look: () => looks.forEach((look) => look()) };
}

test('tries a failed batch again at the next look, and asks no more once it succeeded', async () => {
  const results = [new Error('full'), true, false];
  const faults: unknown[] = [];
  const { wake, idle, look, isActive } = createLoop({
    step() {
      const result = results.shift();
      return typeof result === 'boolean'
        ? Promise.resolve(result)
        : Promise.reject(result ?? new Error('end'));
    },
    onFailure: (error) => faults.push(error),
  });
  wake();
  await idle();
  expect([results.length, faults, isActive()]).toEqual([2, [new Error('full')], false]);
  look();
  await idle();
  expect(results).toEqual([]);
  look();
  await idle();
  expect([faults.length, isActive()]).toEqual([1, false]);
});

test('stops after a batch, whose signal aborts, and resumes at a wake-up', async () => {
  const batches: { readonly signal: AbortSignal; readonly end: (hasMore: boolean) => void }[] = [];
  const { wake, stop, idle } = createLoop({
    step: (signal) => new Promise((end) => batches.push({ signal, end })),
    onFailure: (error) => expect.fail(String(error)),
  });
  wake();
  await expect.poll(() => batches.length, { interval: 1 }).toBe(1);
  const stopped = stop();
  expect(batches[0]?.signal.aborted).toBe(true);
  batches[0]?.end(true);
  await stopped;
  expect(batches).toHaveLength(1);
  wake();
  await expect.poll(() => batches.length, { interval: 1 }).toBe(2);
  expect(batches[1]?.signal.aborted).toBe(false);
  batches[1]?.end(false);
  await idle();
});

test('wakes once for many calls, at the earliest of them, and never after its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let batchCount = 0;
  const { wakeSoon, idle, close } = createLoop({
    step() {
      batchCount += 1;
      return Promise.resolve(false);
    },
  });
  for (const milliseconds of [9000, 200, 5000, 200]) wakeSoon(milliseconds);
  await vi.advanceTimersByTimeAsync(200);
  await idle();
  expect([batchCount, vi.getTimerCount()]).toEqual([1, 0]);
  wakeSoon(200);
  await close();
  wakeSoon(200);
  expect(vi.getTimerCount()).toBe(0);
});

test('asks for a lease less and less often while another server has it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns: number[] = [];
  let isFree = false;
  const lease = { hold: () => Promise.resolve(isFree), release: () => Promise.resolve() };
  let batchCount = 0;
  const { wake, idle } = createLoop({
    store: { leases: { shared: false, getLease: () => lease } },
    leased: ['work'],
    step() {
      batchCount += 1;
      return Promise.resolve(false);
    },
    onRefused: (milliseconds) => turns.push(milliseconds),
  });
  wake();
  for (let minute = 0; minute < 5; minute += 1) {
    await idle();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(turns.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  isFree = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await idle();
  expect([batchCount, vi.getTimerCount()]).toEqual([1, 0]);
});
