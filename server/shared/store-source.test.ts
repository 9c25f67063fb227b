/** Tests an index of a shared store, in addition to the common tests in find-routes.test.ts. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from './postgres/migrate.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { SharedStore } from '../store/store.ts';
import { lateWriter } from '../testing/late-writer.ts';
import { newComposition } from '../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../testing/postgres.ts';
import { storeSource } from './store-source.ts';
import { TextIndex } from '../find/text-index.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

describe.skipIf(!database)('a finder of a shared store (not run where PostgreSQL is not installed)', () => {
  const { address = '', admin } = database ?? {};
  const asAdmin = (text: string) =>
    admin?.((client) =>
      client.query(`SET session_replication_role = replica; SET search_path = chartkeeper; ${text}`),
    );
  beforeEach(async () => {
    if (database) await emptyStore(database);
  });

  async function createWorld(): Promise<{ store: SharedStore; index: TextIndex; path: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-find-'));
    const path = join(folder, 'text.db');
    const store = await openPostgresStore(address);
    const index = new TextIndex(path, () => storeSource(address));
    onTestFinished(async () => {
      await index.close();
      await store.close();
      rmSync(folder, { recursive: true });
    });
    return { store, index, path };
  }

  /** Returns the ids that a word finds after all versions were indexed. */
  async function findIds(index: TextIndex, word: string): Promise<string[]> {
    while (await index.step());
    const { records, behind: pendingCount } = await index.search({ text: word, limit: 50 });
    expect(pendingCount).toBe(0);
    return records.flatMap((group) => group.found.map(({ id }) => id));
  }

  test('finds versions of a writer that commits after a faster one', async () => {
    const { store, index } = await createWorld();
    await store.insert(version('first', 1, 'Wombat'));
    // One late writer starts before the index exists, the other one while it follows.
    const commitEarly = await lateWriter(address, 'early', 'Wombat');
    await store.insert(version('faster', 1, 'Wombat'));
    expect(await findIds(index, 'wombat')).toEqual(['faster', 'first']);
    const commitLate = await lateWriter(address, 'late', 'Wombat');
    await store.insert(version('fastest', 1, 'Wombat'));
    expect(await findIds(index, 'wombat')).toEqual(['fastest', 'faster', 'first']);
    await commitEarly();
    expect(await findIds(index, 'wombat')).toContain('early');
    await commitLate();
    expect(await findIds(index, 'wombat')).toEqual(['fastest', 'late', 'faster', 'early', 'first']);
  });

  test('indexes versions written while it was closed, in several steps, and counts changes once', async () => {
    const { store, index } = await createWorld();
    await store.insert(version('before', 1, 'Numbat'));
    expect(await findIds(index, 'numbat')).toEqual(['before']);
    await index.close();
    const ids = Array.from({ length: 150 }, (_, index) => `r-${index}`);
    await Promise.all(ids.map((id) => store.insert(version(id, 1, 'Quokka'))));
    await Promise.all(ids.slice(100).map((id) => store.replace(version(id, 2, 'Quoll'), 1)));
    const { behind: pendingCount } = await index.search({ text: 'none', limit: 1 });
    expect(pendingCount === 0 || pendingCount === null).toBe(false);
    expect(await findIds(index, 'quoll')).toHaveLength(50);
    expect(await findIds(index, 'quokka')).toHaveLength(50);
    expect(await findIds(index, 'r-99')).toEqual(['r-99']);
    expect(await findIds(index, 'numbat')).toEqual(['before']);
  });

  test('rebuilds the index after the records were reset to an earlier state', async () => {
    const { store, index } = await createWorld();
    await store.insert(version('kept', 1, 'Bettong'));
    await store.insert(version('lost', 1, 'Bettong'));
    expect(await findIds(index, 'bettong')).toEqual(['lost', 'kept']);
    await asAdmin(`DELETE FROM record WHERE id = 'lost'; DELETE FROM version WHERE id = 'lost';
      DELETE FROM audit WHERE place = (SELECT max(place) FROM audit)`);
    expect(await findIds(index, 'bettong')).toEqual(['kept']);
  });

  test('fails a query and keeps the index if the store is unreachable', async () => {
    const { store, index, path } = await createWorld();
    await store.insert(version('one', 1, 'Potoroo'));
    expect(await findIds(index, 'potoroo')).toEqual(['one']);
    const { birthtimeMs } = statSync(path);
    const name = new URL(address).pathname.slice(1);
    const allow = (isAllowed: boolean) =>
      asAdmin(`ALTER DATABASE ${name} CONNECTION LIMIT ${isAllowed ? -1 : 0};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()`);
    await allow(false);
    await expect(index.search({ text: 'potoroo', limit: 1 })).rejects.toThrow(StoreBusyError);
    await allow(true);
    await expect.poll(() => findIds(index, 'potoroo').catch(() => undefined)).toEqual(['one']);
    expect(statSync(path).birthtimeMs).toBe(birthtimeMs);
  });
});
