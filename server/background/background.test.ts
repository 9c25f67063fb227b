/** Work that several servers of one store could do is one server's at a time, and no work is left lying. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../testing/postgres.ts';
import { migrate } from '../shared/postgres/migrate.ts';
import { openPostgresStore } from '../shared/postgres/postgres-store.ts';
import { createBackground } from './background.ts';

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
          isDue: () => true,
          pace: { slice: (work) => work() },
          scheduleEvery: () => () => undefined,
          log: (line) => expect.fail(line),
          failureMessage: 'work',
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
