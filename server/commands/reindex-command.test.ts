import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { damageBodies } from '../testing/damage.ts';
import { ageDerivedRows, derivedRowsIn } from '../testing/derived-rows.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { runCli } from '../testing/run-cli.ts';

/** Today, as the command reads the system's clock. */
const today = Date.now();

let filled: KeptFolder;
let folder: KeptFolder;
beforeAll(async () => {
  filled = await KeptFolder.createFilled(today);
}, 60_000);
afterEach(() => folder.remove());
afterAll(() => filled.remove());

const reindex = () => runCli(['reindex', '--data', folder.path]);

test('chartkeeper reindex makes all rows anew, also those that are called right', async () => {
  folder = await KeptFolder.make(today, filled);
  ageDerivedRows(folder.records);
  folder.markAsCurrent();
  expect((await folder.verify()).length).toBeGreaterThan(100);
  expect(await reindex()).toEqual({
    code: 0,
    stderr: '',
    stdout: '596 records re-indexed and checked.\n',
  });
  expect(derivedRowsIn(folder.records)).toEqual(derivedRowsIn(filled.records));
  expect(await folder.verify()).toEqual([]);
});

test('chartkeeper reindex names what it could not read, and ends with 1', async () => {
  folder = await KeptFolder.make(today, filled);
  damageBodies(folder.records, { count: 2, seed: 3 });
  const { code, stdout } = await reindex();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^596 records .*\n[12] of them (is|are) unreadable and (was|were) left unchanged\. Run chartkeeper verify/,
  );
});

test('a folder that is served is not reindexed', async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
  expect(await reindex()).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
});
