import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { damageBodies } from '../testing/damage.ts';
import { ageDerivedRows, derivedRowsIn } from '../testing/derived-rows.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { runCli } from '../testing/run-cli.ts';

/** Current time, because the command reads the clock of the system. */
const today = Date.now();

let originalFolder: KeptFolder;
let folder: KeptFolder;
beforeAll(async () => {
  originalFolder = await KeptFolder.createFilled(today);
}, 60_000);
afterEach(() => folder.remove());
afterAll(() => originalFolder.remove());

const reindex = () => runCli(['reindex', '--data', folder.path]);

test('rebuilds all rows, including those marked as current', async () => {
  folder = await KeptFolder.make(today, originalFolder);
  ageDerivedRows(folder.records);
  folder.markAsCurrent();
  expect((await folder.verify()).length).toBeGreaterThan(100);
  expect(await reindex()).toEqual({
    code: 0,
    stderr: '',
    stdout: '596 records re-indexed and checked.\n',
  });
  expect(derivedRowsIn(folder.records)).toEqual(derivedRowsIn(originalFolder.records));
  expect(await folder.verify()).toEqual([]);
});

test('reports unreadable records and exits with 1', async () => {
  folder = await KeptFolder.make(today, originalFolder);
  damageBodies(folder.records, { count: 2, seed: 3 });
  const { code, stdout } = await reindex();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^596 records .*\n[12] of them (is|are) unreadable and (was|were) left unchanged\. Run chartkeeper verify/,
  );
});

test('rejects a folder that a server uses', async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
  expect(await reindex()).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
});
