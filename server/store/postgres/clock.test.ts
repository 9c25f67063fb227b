import { expect, onTestFinished, test, vi } from 'vitest';
import { migratedDatabase, postgresPrograms } from '../../testing/postgres.ts';
import { openPostgresStore } from './postgres-store.ts';

const minute = 60_000;

test.skipIf(postgresPrograms() === undefined).each([-1, 1])(
  'a server whose clock is %s hour off goes by the time of the database (not run without PostgreSQL)',
  async (hours) => {
    const database = await migratedDatabase();
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before + hours * 60 * minute });
    onTestFinished(async () => {
      vi.useRealTimers();
      await database.remove();
    });
    const store = await openPostgresStore(database.server);
    const told = store.clock.now();
    await store.close();
    vi.useRealTimers();
    // It is off by as long as an answer takes to come, at most.
    expect(told).toBeGreaterThan(before - minute);
    expect(told).toBeLessThan(Date.now() + minute);
  },
);
