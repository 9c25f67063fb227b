/** Writes that share a statement have the same results as separate ones. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newComposition } from '../../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('concurrent writes (not run where PostgreSQL is not installed)', () => {
  const { address = '' } = database ?? {};
  const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

  async function titlesOf(store: PostgresStore, ids: readonly string[]): Promise<unknown[]> {
    return Promise.all(
      ids.map(async (id) => {
        const storedVersion = await store.read('Composition', id);
        return storedVersion && 'text' in storedVersion
          ? (JSON.parse(storedVersion.text) as { title: string }).title
          : undefined;
      }),
    );
  }

  beforeEach(async () => {
    if (database) await emptyStore(database);
  });

  test('stores the first of two inserts with one id and appends an entry for each stored one', async () => {
    const store = await openPostgresStore(address);
    const inserts = ['b', 'a', 'b', 'c'].map((id, index) => store.insert(version(id, 1, `${id}${index}`)));
    expect(await Promise.all(inserts)).toEqual(['stored', 'stored', 'exists', 'stored']);
    expect(await titlesOf(store, ['a', 'b', 'c'])).toEqual(['a1', 'b0', 'c3']);
    const { entries } = await store.audit.page({ action: 'create' }, undefined, 10);
    expect(entries.map(({ what: target }) => target).sort()).toEqual(
      ['a', 'b', 'c'].map((id) => `/fhir-r4/v1/Composition/${id}`),
    );
    expect((await store.audit.verify()).broken).toBeUndefined();
    await store.close();
  });

  test('rejects stale changes and stores one of two changes of a version', async () => {
    const store = await openPostgresStore(address);
    for (const id of ['a', 'b', 'c']) await store.insert(version(id, 1, id));
    const replacements = [
      store.replace(version('a', 2, 'a2'), 1),
      store.replace(version('b', 3, 'b3'), 2),
      store.replace(version('c', 2, 'c2'), 1),
      store.replace(version('c', 2, 'other'), 1),
    ];
    expect(await Promise.all(replacements)).toEqual(['stored', 'stale', 'stored', 'stale']);
    expect(await titlesOf(store, ['a', 'b', 'c'])).toEqual(['a2', 'b', 'c2']);
    await store.close();
  });
});
