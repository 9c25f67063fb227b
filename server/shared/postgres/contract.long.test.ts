/** The contract of all engines, for PostgreSQL. */
import { afterAll, describe } from 'vitest';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { openTestStore, testContract } from '../../store/testing/contract.ts';
import type { Engine } from '../../store/testing/contract-store.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const postgres: Engine = {
  name: 'PostgreSQL',
  async makeStore() {
    if (!database) throw new Error('PostgreSQL is not installed.');
    return openTestStore({
      open: (programDerivations) => openPostgresStore(database.address, undefined, programDerivations),
      run: (text) => database.admin((client) => client.query(`SET search_path = chartkeeper; ${text}`)),
      removeData: () => emptyStore(database),
    });
  },
};

describe.skipIf(!database)('PostgreSQL (not run where its programs are not installed)', () => {
  testContract(() => postgres);
});
