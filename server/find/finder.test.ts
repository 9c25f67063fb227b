import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrate } from '../shared/postgres/migrate.ts';
import { openPostgresStore } from '../shared/postgres/postgres-store.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { newComposition } from '../testing/new-composition.ts';
import { emptyStore, testDatabase } from '../testing/postgres.ts';
import { startSharedTestServer } from '../testing/shared-server.ts';
import { composition } from '../testing/test-server.ts';
import { createFinder } from './finder.ts';

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-find-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns true if the index of a folder contains a word, without a query, which would index it. */
function isIndexed(folder: string, word: string): boolean {
  return readdirSync(folder)
    .filter((name) => name.startsWith('text.db'))
    .some((name) => readFileSync(join(folder, name), 'latin1').toLowerCase().includes(word));
}

test('removes erased records from its file on close and answers pending queries with nothing', async () => {
  const folder = makeFolder();
  const store = await openRecordStore(join(folder, 'records.db'));
  const ids = ['first', 'second'];
  for (const id of ids) await store.insert(newComposition(id, 1, { title: 'Wombat' }));
  const finder = createFinder(folder);
  const search = () => finder.search({ text: 'wombat', limit: 5 });
  await expect
    .poll(async () => (await search()).records.flatMap(({ found: recordMatches }) => recordMatches))
    .toHaveLength(2);
  await expect.poll(() => isIndexed(folder, 'wombat')).toBe(true);
  const erasedNames = ids.map((id) => ({ type: 'Composition' as const, id }));
  await store.erase(erasedNames.map((name) => ({ ...name, who: 'a', reason: 'r' })));
  void search();
  const pendingAnswer = search();
  const erasures = erasedNames.map((name) => finder.erase([name]));
  await finder.close();
  await Promise.all(erasures);
  expect(await pendingAnswer).toEqual({ patients: [], records: [], behind: null });
  expect(isIndexed(folder, 'wombat')).toBe(false);
  await store.close();
});

test('indexes a stored version without a query, and gives its thread no request before the next', async () => {
  const folder = makeFolder();
  const store = await openRecordStore(join(folder, 'records.db'));
  const messages = vi.spyOn(Worker.prototype, 'postMessage');
  const looks: (() => void)[] = [];
  const finder = createFinder(folder, {
    scheduleEvery(_milliseconds, look) {
      looks.push(look);
      return () => undefined;
    },
  });
  onTestFinished(async () => {
    await finder.close();
    await store.close();
    messages.mockRestore();
  });
  await store.insert(newComposition('first', 1, { title: 'Wombat' }));
  await expect.poll(() => isIndexed(folder, 'wombat')).toBe(true);
  const { length } = messages.mock.calls;
  for (const look of looks) look();
  await new Promise(setImmediate);
  expect(messages.mock.calls).toHaveLength(length);
  await store.insert(newComposition('second', 1, { title: 'Numbat' }));
  finder.onVersionStored();
  await expect.poll(() => isIndexed(folder, 'numbat')).toBe(true);
});

describe.skipIf(!database)('a finder of a shared store (not run where PostgreSQL is not installed)', () => {
  const { address = '' } = database ?? {};
  beforeEach(async () => {
    if (database) await emptyStore(database);
  });

  test('indexes a version that another server announced', async () => {
    const [writer, reader] = [await startSharedTestServer(address), await startSharedTestServer(address)];
    onTestFinished(async () => {
      await writer.remove();
      await reader.remove();
    });
    const text = composition('Patient/p').replace('"title":"Note"', '"title":"Bettong"');
    // The first index is of an empty store.
    await expect.poll(() => isIndexed(reader.dataDir, 'stand')).toBe(true);
    expect((await writer.send('POST', '/fhir-r4/v1/Composition', text)).status).toBe(201);
    await expect.poll(() => isIndexed(reader.dataDir, 'bettong')).toBe(true);
  });

  test('finds a patient by the name of its own resource', async () => {
    const server = await startSharedTestServer(address);
    onTestFinished(() => server.remove());
    const patient =
      '{"resourceType":"Patient","id":"bilby1","name":[{"given":["Bilby"],"family":"Potoroo"}]}';
    const imported = `[${composition('Patient/bilby1')},${patient}]`;
    expect((await server.send('POST', '/app/import', imported)).status).toBe(200);
    const find = async () => (await server.send('GET', '/app/find?q=potoroo')).json.patients;
    await expect.poll(find).toEqual([{ id: 'bilby1', name: 'Bilby Potoroo', records: 1 }]);
    expect((await server.send('DELETE', '/app/companions/Patient')).status).toBe(200);
    await expect.poll(find).toEqual([]);
  });

  test('indexes a version whose announcement was lost at the next look', async () => {
    const folder = makeFolder();
    const store = await openPostgresStore(address);
    let look: () => void = () => undefined;
    const finder = createFinder(folder, {
      store: address,
      scheduleEvery(_milliseconds, work) {
        look = work;
        return () => undefined;
      },
    });
    onTestFinished(async () => {
      await finder.close();
      await store.close();
    });
    await store.insert(newComposition('first', 1, { title: 'Wombat' }));
    await expect.poll(() => isIndexed(folder, 'wombat')).toBe(true);
    await store.insert(newComposition('second', 1, { title: 'Quokka' }));
    look();
    await expect.poll(() => isIndexed(folder, 'quokka')).toBe(true);
  });
});
