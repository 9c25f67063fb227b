/** Databases that a store over PostgreSQL rejects when it is opened. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newComposition } from '../../testing/new-composition.ts';
import { hasPooler, startPooler } from '../../testing/pooler.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../../testing/postgres.ts';
import { openPostgresStore } from './postgres-store.ts';
import { findConnectionProblem, type SeenConnection } from './start-check.ts';

const requestedSettings = { search_path: 'chartkeeper', jit: 'off' };
const good: SeenConnection = {
  startProcessId: 17,
  processId: 17,
  isStandby: false,
  readsStandby: false,
  settings: new Map(Object.entries({ ...requestedSettings, work_mem: '4096' })),
};
const readsStandby = { ...good, readsStandby: true };
const follower = { ...good, isStandby: true, readsStandby: true };

test.each<[string, readonly SeenConnection[]]>([
  ['that all lead to one primary', [good, good]],
  ['that all lead to one standby, whose records can be read', [follower, follower]],
])('accepts connections %s', (_name, connections) => {
  expect(findConnectionProblem(connections, requestedSettings)).toBeUndefined();
});

test.each<[string, readonly SeenConnection[], RegExp]>([
  ['where another process answers than the one that was named', [good, { ...good, processId: 18 }], /pooler/],
  [
    'that do not have a setting which was asked for',
    [{ ...good, settings: new Map([...good.settings, ['search_path', 'public']]) }],
    /setting search_path doesn’t reach the database: it is public/,
  ],
  ['whose reads all go to a standby', [readsStandby, readsStandby], /another database than writes/],
  ['whose reads go to a standby', [good, readsStandby], /another database than writes/],
  ['of which one leads to a standby', [good, follower], /another database than writes/],
])('rejects connections %s', (_name, connections, sentence) => {
  expect(findConnectionProblem(connections, requestedSettings)).toMatch(sentence);
});

describe.skipIf(postgresPrograms() === undefined)(
  'opened store (not run where PostgreSQL is not installed)',
  () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await migratedDatabase();
      const store = await openPostgresStore(database.address);
      await store.insert(newComposition('one', 1, { title: 'First' }));
      await store.close();
    });
    afterAll(() => database.remove());

    test('rejects records with transaction ids of another cluster', async () => {
      const number = (xid: string) =>
        database.admin(async (client) => {
          await client.query('SET session_replication_role = replica');
          await client.query('UPDATE chartkeeper.version SET xid = $1', [xid]);
        });
      await number('9000000000');
      await expect(openPostgresStore(database.address)).rejects.toThrow('written in another cluster');
      await number('3');
      await (await openPostgresStore(database.address)).close();
    });

    describe.skipIf(!hasPooler())('behind PgBouncer (not run where it is not installed)', () => {
      test.each<[string, Readonly<Record<string, string>>, string]>([
        ['its own words, where it takes no settings', {}, 'unsupported startup parameter: options (08P01)'],
        [
          'a sentence, where it drops them',
          { ignore_startup_parameters: 'options' },
          'pooler such as PgBouncer or pgpool',
        ],
        [
          'a sentence, where sessions share a connection',
          { ignore_startup_parameters: 'options', pool_mode: 'transaction' },
          'pooler such as PgBouncer or pgpool',
        ],
      ])('is rejected with %s', async (_name, settings, sentence) => {
        const pooler = await startPooler(database.address, settings);
        try {
          await expect(openPostgresStore(pooler.address)).rejects.toThrow(sentence);
        } finally {
          await pooler.close();
        }
      });
    });
  },
);
