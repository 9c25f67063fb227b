/** What a store over PostgreSQL refuses when it is opened, as it would answer wrongly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newComposition } from '../../testing/new-composition.ts';
import { hasPooler, startPooler } from '../../testing/pooler.ts';
import { migratedDatabase, postgresPrograms, type TestDatabase } from '../../testing/postgres.ts';
import { openPostgresStore } from './postgres-store.ts';
import { refusalOf, type SeenConnection } from './start-check.ts';

const asked = { search_path: 'chartkeeper', jit: 'off' };
const good: SeenConnection = {
  ...{ named: 17, answers: 17, follows: false, readsFollower: false },
  settings: new Map(Object.entries({ ...asked, work_mem: '4096' })),
};
const follower = { ...good, follows: true, readsFollower: true };

test.each<[string, readonly SeenConnection[]]>([
  ['that all lead to one primary', [good, good]],
  ['that all lead to one standby, whose records can be read', [follower, follower]],
])('takes connections %s', (_name, seen) => {
  expect(refusalOf(seen, asked)).toBeUndefined();
});

test.each<[string, readonly SeenConnection[], RegExp]>([
  ['where another process answers than the one that was named', [good, { ...good, answers: 18 }], /pooler/],
  [
    'that do not have a setting which was asked for',
    [{ ...good, settings: new Map([...good.settings, ['search_path', 'public']]) }],
    /setting search_path does not come to the database: it is public/,
  ],
  ['whose reads go to a standby', [good, { ...good, readsFollower: true }], /another database than writes/],
  ['of which one leads to a standby', [good, follower], /another database than writes/],
])('refuses connections %s', (_name, seen, sentence) => {
  expect(refusalOf(seen, asked)).toMatch(sentence);
});

describe.skipIf(postgresPrograms() === undefined)(
  'a store that is opened (not run where PostgreSQL is not installed)',
  () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await migratedDatabase();
      const store = await openPostgresStore(database.server);
      await store.insert(newComposition('one', 1, { title: 'First' }));
      await store.close();
    });
    afterAll(() => database.remove());

    test('refuses records that bear the numbers of another cluster’s transactions', async () => {
      const number = (xid: string) =>
        database.admin(async (client) => {
          await client.query('SET session_replication_role = replica');
          await client.query('UPDATE chartkeeper.version SET xid = $1', [xid]);
        });
      await number('9000000000');
      await expect(openPostgresStore(database.server)).rejects.toThrow('written in another cluster');
      await number('3');
      await (await openPostgresStore(database.server)).close();
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
      ])('is refused with %s', async (_name, settings, sentence) => {
        const pooler = await startPooler(database.server, settings);
        try {
          await expect(openPostgresStore(pooler.address)).rejects.toThrow(sentence);
        } finally {
          await pooler.close();
        }
      });
    });
  },
);
