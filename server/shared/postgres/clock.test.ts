import { expect, onTestFinished, test, vi } from 'vitest';
import { migratedDatabase, postgresPrograms } from '../../testing/postgres.ts';
import { openPostgresStore } from './postgres-store.ts';

const minute = 60_000;

test.skipIf(postgresPrograms() === undefined).each([-1, 1])(
  'uses the time of the database if its own clock is %s hour off (not run without PostgreSQL)',
  async (hours) => {
    const database = await migratedDatabase();
    const before = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before + hours * 60 * minute });
    onTestFinished(async () => {
      vi.useRealTimers();
      await database.remove();
    });
    const store = await openPostgresStore(database.address);
    const storeTime = store.clock.now();
    await store.close();
    vi.useRealTimers();
    // The difference is at most the duration of the query.
    expect(storeTime).toBeGreaterThan(before - minute);
    expect(storeTime).toBeLessThan(Date.now() + minute);
  },
);
