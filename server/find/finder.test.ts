import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { newComposition } from '../testing/new-composition.ts';
import { createFinder } from './finder.ts';

test('removes erased records from its file on close and answers pending queries with nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-find-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openRecordStore(join(folder, 'records.db'));
  const ids = ['first', 'second'];
  for (const id of ids) await store.insert(newComposition(id, 1, { title: 'Wombat' }));
  const finder = createFinder(folder);
  const search = () => finder.search({ text: 'wombat', limit: 5 });
  const isInFile = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('text.db'))
      .some((name) => readFileSync(join(folder, name), 'latin1').toLowerCase().includes('wombat'));
  await expect
    .poll(async () => (await search()).records.flatMap(({ found: recordMatches }) => recordMatches))
    .toHaveLength(2);
  await expect.poll(isInFile).toBe(true);
  const erasedNames = ids.map((id) => ({ type: 'Composition' as const, id }));
  await store.erase(erasedNames.map((name) => ({ ...name, who: 'a', reason: 'r' })));
  void search();
  const pendingAnswer = search();
  const erasures = erasedNames.map((name) => finder.erase([name]));
  await finder.close();
  await Promise.all(erasures);
  expect(await pendingAnswer).toEqual({ patients: [], records: [], behind: null });
  expect(isInFile()).toBe(false);
  await store.close();
});
