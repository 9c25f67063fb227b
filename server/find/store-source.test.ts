/** What an index of a shared store's records promises beside what every index does (find-routes.test.ts). */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../store/postgres/migrate.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { SharedStore } from '../store/store.ts';
import { lateWriter } from '../testing/late-writer.ts';
import { newComposition } from '../testing/new-composition.ts';
import { emptied, testDatabase } from '../testing/postgres.ts';
import { storeSource } from './store-source.ts';
import { TextIndex } from './text-index.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const version = (id: string, number: number, title: string) => newComposition(id, number, { title });

describe.skipIf(!database)('a finder of a shared store (not run where PostgreSQL is not installed)', () => {
  const { server = '', admin } = database ?? {};
  const asAdmin = (text: string) =>
    admin?.((client) =>
      client.query(`SET session_replication_role = replica; SET search_path = chartkeeper; ${text}`),
    );
  beforeEach(async () => {
    if (database) await emptied(database);
  });

  async function world(): Promise<{ store: SharedStore; index: TextIndex; path: string }> {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-find-'));
    const path = join(folder, 'text.db');
    const store = await openPostgresStore(server);
    const index = new TextIndex(path, () => storeSource(server));
    onTestFinished(async () => {
      await index.close();
      await store.close();
      rmSync(folder, { recursive: true });
    });
    return { store, index, path };
  }

  /** The ids that a word finds once nothing is left to be read. */
  async function found(index: TextIndex, word: string): Promise<string[]> {
    while (await index.step());
    const { records, behind } = await index.ask({ text: word, limit: 50 });
    expect(behind).toBe(0);
    return records.flatMap((group) => group.found.map(({ id }) => id));
  }

  test('a writer that commits behind a faster one is found, whichever number it took', async () => {
    const { store, index } = await world();
    await store.insert(version('first', 1, 'Wombat'));
    // Begun before the index knows anything, and again once it follows.
    const commitEarly = await lateWriter(server, 'early', 'Wombat');
    await store.insert(version('faster', 1, 'Wombat'));
    expect(await found(index, 'wombat')).toEqual(['faster', 'first']);
    const commitLate = await lateWriter(server, 'late', 'Wombat');
    await store.insert(version('fastest', 1, 'Wombat'));
    expect(await found(index, 'wombat')).toEqual(['fastest', 'faster', 'first']);
    await commitEarly();
    expect(await found(index, 'wombat')).toContain('early');
    await commitLate();
    expect(await found(index, 'wombat')).toEqual(['fastest', 'late', 'faster', 'early', 'first']);
  });

  test('what was written while the index was closed is followed, more than one step takes, and changes count once', async () => {
    const { store, index } = await world();
    await store.insert(version('before', 1, 'Numbat'));
    expect(await found(index, 'numbat')).toEqual(['before']);
    await index.close();
    const many = Array.from({ length: 150 }, (_, at) => `r-${at}`);
    await Promise.all(many.map((id) => store.insert(version(id, 1, 'Quokka'))));
    await Promise.all(many.slice(100).map((id) => store.replace(version(id, 2, 'Quoll'), 1)));
    const { behind } = await index.ask({ text: 'none', limit: 1 });
    expect(behind === 0 || behind === null).toBe(false);
    expect(await found(index, 'quoll')).toHaveLength(50);
    expect(await found(index, 'quokka')).toHaveLength(50);
    expect(await found(index, 'r-99')).toEqual(['r-99']);
    expect(await found(index, 'numbat')).toEqual(['before']);
  });

  test('an index of records that were put back to a time before is made anew', async () => {
    const { store, index } = await world();
    await store.insert(version('kept', 1, 'Bettong'));
    await store.insert(version('lost', 1, 'Bettong'));
    expect(await found(index, 'bettong')).toEqual(['lost', 'kept']);
    await asAdmin(`DELETE FROM record WHERE id = 'lost'; DELETE FROM version WHERE id = 'lost';
      DELETE FROM audit WHERE place = (SELECT max(place) FROM audit)`);
    expect(await found(index, 'bettong')).toEqual(['kept']);
  });

  test('where the store cannot be reached the question fails and the index stays', async () => {
    const { store, index, path } = await world();
    await store.insert(version('one', 1, 'Potoroo'));
    expect(await found(index, 'potoroo')).toEqual(['one']);
    const { birthtimeMs } = statSync(path);
    const name = new URL(server).pathname.slice(1);
    const allow = (may: boolean) =>
      asAdmin(`ALTER DATABASE ${name} CONNECTION LIMIT ${may ? -1 : 0};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'server' AND datname = current_database()`);
    await allow(false);
    await expect(index.ask({ text: 'potoroo', limit: 1 })).rejects.toThrow(StoreBusyError);
    await allow(true);
    await expect.poll(() => found(index, 'potoroo').catch(() => undefined)).toEqual(['one']);
    expect(statSync(path).birthtimeMs).toBe(birthtimeMs);
  });
});
