/** Removals in a shared store, beyond the contract: rights, the migration of a store with records, and later inserts. */
import { afterAll, describe, expect, test } from 'vitest';
import { newComposition } from '../../testing/new-composition.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { openTransaction } from '../../testing/held-transaction.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { openPostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const version = (id: string, number = 1) =>
  newComposition(id, number, { title: 'Quokka', date: '2026', subject: { reference: 'Patient/p' } }, []);
const removing = (id: string, number = 1) =>
  ({ type: 'Composition', id, version: number, who: 'a', requestId: '', now: 0 }) as const;

describe.skipIf(!database)('removals (not run where PostgreSQL is not installed)', () => {
  const { address = '', keeper = '', admin } = database ?? {};
  const run = (text: string) =>
    admin?.((client) => client.query(`SET search_path = chartkeeper; ${text}`)) ?? Promise.resolve();

  test('a store of the previous program keeps its records and gets batches', async () => {
    const before = await openPostgresStore(address);
    await before.insert(version('old'));
    await before.close();
    await run(`DROP TABLE batch, batch_line, removed; DROP FUNCTION remove_record, bring_back;
      DROP TRIGGER was_not_removed ON record; DROP FUNCTION was_not_removed;
      DELETE FROM migration WHERE number = ${migrations.length}`);
    await expect(openPostgresStore(address)).rejects.toThrow(/schema version/);
    await migrate(keeper, 'server');
    const store = await openPostgresStore(address);
    expect(await store.read('Composition', 'old')).toMatchObject({ version: 1 });
    expect(await store.batches.list(undefined, 10)).toEqual([]);
    expect(await store.remove([removing('old')])).toEqual([true]);
    expect((await store.history('Composition', { id: 'old' }, 10)).total).toBe(1);
    await store.close();
  });

  test('a server can neither delete a record without its trace nor change the trace', async () => {
    const store = await openPostgresStore(address);
    await store.insert(version('kept'));
    for (const text of [
      "DELETE FROM record WHERE id = 'kept'",
      "DELETE FROM removed WHERE id = 'kept'",
      "UPDATE removed SET version = 9 WHERE id = 'kept'",
    ])
      await expect(openTransaction(address, (session) => session.rows({ text }))).rejects.toThrow(/denied/);
    await store.close();
  });
});
