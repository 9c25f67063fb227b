/** Work that several servers of one store could do is one server's at a time, and no work is left lying. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../testing/postgres.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { createBackground } from './background.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('work of a shared store (not run where PostgreSQL is not installed)', () => {
  /** What two servers have to do together, in pieces. */
  async function servers(pieces: number) {
    const all = { left: pieces, under: 0, most: 0, by: [0, 0] as [number, number] };
    const works = await Promise.all(
      ([0, 1] as const).map(async (server) => {
        const store = await openPostgresStore(database?.server ?? '');
        const background = createBackground({
          store,
          leased: ['work'],
          async step() {
            if (all.left === 0) return false;
            all.under += 1;
            all.most = Math.max(all.most, all.under);
            // A piece takes a while, in which the other may ask for it.
            await store.count();
            all.left -= 1;
            all.by[server] += 1;
            all.under -= 1;
            return true;
          },
          isDue: () => true,
          pace: { slice: (work) => work() },
          every: () => () => undefined,
          log: (line) => expect.fail(line),
          failed: 'work',
        });
        onTestFinished(async () => {
          await background.close();
          await store.close();
        });
        return background;
      }),
    );
    return { all, works };
  }

  test('is done once, however many have it to do', async () => {
    const { all, works } = await servers(60);
    for (const work of works) work.wake();
    await expect.poll(() => all.left, { interval: 20 }).toBe(0);
    expect([all.most, all.by[0] + all.by[1]]).toEqual([1, 60]);
    // Whoever waited looks again, and finds nothing.
    for (const work of works) await work.idle();
    all.left = 5;
    works[1]?.wake();
    await expect.poll(() => all.left, { interval: 20 }).toBe(0);
  });

  test('of a server that is gone is another’s once its time is over', async () => {
    const { all, works } = await servers(3);
    const text = `INSERT INTO chartkeeper.lease VALUES ('work', 'gone', now() + interval '1 hour')
      ON CONFLICT (name) DO UPDATE SET holder = 'gone', until = excluded.until`;
    await database?.admin((admin) => admin.query(text));
    const [work] = works;
    work?.wake();
    await work?.idle();
    expect(all.left).toBe(3);
    await database?.admin((admin) => admin.query('UPDATE chartkeeper.lease SET until = now()'));
    await expect.poll(() => all.left, { interval: 20 }).toBe(0);
  });
});
