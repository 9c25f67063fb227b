import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTransaction } from '../../testing/held-transaction.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { rowOfRequest } from '../../store/activity-rows.ts';
import { activityLog, wholePage, request } from '../../store/testing/contract-activity.ts';
import { addActivity, postgresActivity } from './activity.ts';
import { readAddress } from './address.ts';
import { Postgres } from './connection.ts';
import { migrate } from './migrate.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)(
  'activity log of a shared store (not run where PostgreSQL is not installed)',
  () => {
    let connection: Postgres;
    beforeEach(async () => {
      if (!database) return;
      await emptyStore(database);
      connection = new Postgres(readAddress(database.address));
    });
    afterEach(() => connection.close());

    activityLog((clock, limit) => postgresActivity(connection, clock, limit));

    test('inserts entries of several servers in the order of their commits', async () => {
      const { address = '', admin } = database ?? {};
      const end = await openTransaction(address, (session) =>
        addActivity(session, [rowOfRequest(request('/slow'))]),
      );
      const log = postgresActivity(connection);
      log.note(request('/fast'));
      const pendingWrite = log.settle();
      const waits = async () => {
        const text = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        return (await admin?.((client) => client.query(text)))?.rowCount ?? 0;
      };
      await Promise.race([pendingWrite, vi.waitUntil(waits)]);
      const firstPage = await postgresActivity(connection).list({}, wholePage);
      await end();
      await pendingWrite;
      const after = firstPage.entries[0]?.seq ?? 0;
      const { entries } = await log.list({}, { ...wholePage, after });
      expect([...entries, ...firstPage.entries]).toMatchObject([{ path: '/fast' }, { path: '/slow' }]);
    });
  },
);
