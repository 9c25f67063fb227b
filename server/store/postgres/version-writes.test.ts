/** Writes that share a statement come to what each would by itself. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newComposition } from '../../testing/new-composition.ts';
import { emptied, testDatabase } from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

describe.skipIf(!database)('writes at once (not run where PostgreSQL is not installed)', () => {
  const { server = '' } = database ?? {};
  const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

  async function titlesOf(store: PostgresStore, ids: readonly string[]): Promise<unknown[]> {
    return Promise.all(
      ids.map(async (id) => {
        const found = await store.read('Composition', id);
        return found && 'text' in found ? (JSON.parse(found.text) as { title: string }).title : undefined;
      }),
    );
  }

  beforeEach(async () => {
    if (database) await emptied(database);
  });

  test('creates: of two with one id the first is stored, and each that is stored has its entry', async () => {
    const store = await openPostgresStore(server);
    const asked = ['b', 'a', 'b', 'c'].map((id, at) => store.insert(version(id, 1, `${id}${at}`)));
    expect(await Promise.all(asked)).toEqual(['stored', 'stored', 'exists', 'stored']);
    expect(await titlesOf(store, ['a', 'b', 'c'])).toEqual(['a1', 'b0', 'c3']);
    const { entries } = await store.audit.page({ action: 'create' }, undefined, 10);
    expect(entries.map(({ what }) => what).sort()).toEqual(
      ['a', 'b', 'c'].map((id) => `/fhir-r4/v1/Composition/${id}`),
    );
    expect((await store.audit.verify()).broken).toBeUndefined();
    await store.close();
  });

  test('changes: one that is stale is left out, and of two of one version one is stored', async () => {
    const store = await openPostgresStore(server);
    for (const id of ['a', 'b', 'c']) await store.insert(version(id, 1, id));
    const asked = [
      store.replace(version('a', 2, 'a2'), 1),
      store.replace(version('b', 3, 'b3'), 2),
      store.replace(version('c', 2, 'c2'), 1),
      store.replace(version('c', 2, 'other'), 1),
    ];
    expect(await Promise.all(asked)).toEqual(['stored', 'stale', 'stored', 'stale']);
    expect(await titlesOf(store, ['a', 'b', 'c'])).toEqual(['a2', 'b', 'c2']);
    await store.close();
  });
});
