/** What is kept of searches over a shared store is what stands there, whoever writes. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCriteria } from '../../../core/fhir/search.ts';
import { heldTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptied, testDatabase } from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('the total of a search (not run where PostgreSQL is not installed)', () => {
  const { server = '', keeper = '' } = database ?? {};
  const criteria = readCriteria('Composition', [['status', 'final']], { lenient: false, now: 0 });
  let here: PostgresStore;
  let elsewhere: PostgresStore;
  const total = () => here.total(criteria);
  const make = (store: PostgresStore, id: string) => store.insert(newComposition(id, 1, { title: id }));

  beforeEach(async () => {
    if (database) await emptied(database);
    [here, elsewhere] = [await openPostgresStore(server), await openPostgresStore(server)];
    await make(here, 'one');
    expect(await total()).toBe(1);
  });
  afterEach(async () => {
    await here.close();
    await elsewhere.close();
  });

  test('follows what this server and others write, change and erase', async () => {
    await make(here, 'two');
    expect(await total()).toBe(2);
    await make(elsewhere, 'three');
    expect(await total()).toBe(3);
    await elsewhere.replace(newComposition('one', 2, { status: 'amended' }), 1);
    expect(await total()).toBe(2);

    await elsewhere.erase([{ type: 'Composition', id: 'two', who: 'owner', reason: 'Asked for.' }]);
    expect(await total()).toBe(1);
  });

  test('follows rows that another server mends while the version stays', async () => {
    const other = newComposition('one', 1, { status: 'amended' });
    await elsewhere.derived.mend('Composition', 'one', 1, other, Date.now());
    expect(await total()).toBe(0);
  });

  test('is counted once where nothing of its type is written', async () => {
    // Whoever counts reads this table, and waits.
    const release = await heldTransaction(keeper, (session) =>
      session.rows({ text: 'LOCK TABLE token IN ACCESS EXCLUSIVE MODE' }),
    );
    expect(await total()).toBe(1);
    await release();
  });
});
