/** Cached totals of searches in a shared store that several servers write. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCriteria } from '../../../core/fhir/search.ts';
import { openTransaction } from '../../testing/held-transaction.ts';
import { newComposition } from '../../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('total of a search (not run where PostgreSQL is not installed)', () => {
  const { address = '', keeper = '' } = database ?? {};
  const criteria = readCriteria('Composition', [['status', 'final']], { lenient: false, now: 0 });
  let localServer: PostgresStore;
  let otherServer: PostgresStore;
  const total = () => localServer.total(criteria);
  const createRecord = (store: PostgresStore, id: string) =>
    store.insert(newComposition(id, 1, { title: id }));

  beforeEach(async () => {
    if (database) await emptyStore(database);
    [localServer, otherServer] = [await openPostgresStore(address), await openPostgresStore(address)];
    await createRecord(localServer, 'one');
    expect(await total()).toBe(1);
  });
  afterEach(async () => {
    await localServer.close();
    await otherServer.close();
  });

  test('follows inserts, changes and erasures of all servers', async () => {
    await createRecord(localServer, 'two');
    expect(await total()).toBe(2);
    await createRecord(otherServer, 'three');
    expect(await total()).toBe(3);
    await otherServer.replace(newComposition('one', 2, { status: 'amended' }), 1);
    expect(await total()).toBe(2);

    await otherServer.erase([{ type: 'Composition', id: 'two', who: 'owner', reason: 'Asked for.' }]);
    expect(await total()).toBe(1);
  });

  test('follows rows that another server reconciles without a new version', async () => {
    const amended = newComposition('one', 1, { status: 'amended' });
    await otherServer.derived.correctRows('Composition', 'one', 1, amended, Date.now());
    expect(await total()).toBe(0);
  });

  test('counts once while no record of its type is written', async () => {
    // A count needs this table and would wait.
    const release = await openTransaction(keeper, (session) =>
      session.rows({ text: 'LOCK TABLE token IN ACCESS EXCLUSIVE MODE' }),
    );
    expect(await total()).toBe(1);
    await release();
  });
});
