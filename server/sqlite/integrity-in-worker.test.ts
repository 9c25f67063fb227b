import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyInWorker } from './integrity-in-worker.ts';
import { connect } from './sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-beside-'));
  path = join(folder, 'copy.db');
});

/** Creates a file of about 11 bytes a row. A thread verifies it if it has more than 4 MiB. */
function createFile(rowCount: number): void {
  const database = connect(path);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE one (n INTEGER) STRICT');
  database.exec(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT ${rowCount}) INSERT INTO one SELECT n FROM n`,
  );
  database.close();
}

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('lets other work run during verification and leaves no extra file', async () => {
  createFile(500_000);
  let turns = 0;
  const end = new AbortController();
  const inspected = verifyInWorker(path).finally(() => end.abort());
  while (!end.signal.aborted) {
    await setImmediate();
    turns += 1;
  }
  await inspected;
  expect(turns).toBeGreaterThan(20);
  expect(readdirSync(folder)).toEqual(['copy.db']);
});

test.each([
  ['truncated', 'small', 20_000, () => truncateSync(path, statSync(path).size - 4096)],
  ['truncated', 'large', 500_000, () => truncateSync(path, statSync(path).size - 4096)],
  ['empty', 'small', 20_000, () => truncateSync(path)],
] as const)('rejects a file that is %s, if it was %s', async (fault, _size, rowCount, damage) => {
  createFile(rowCount);
  damage();
  await expect(verifyInWorker(path)).rejects.toMatchObject({ errorCode: fault });
});

test.each([20_000, 500_000])(
  'rejects a schema that does not match its version, %i rows',
  async (rowCount) => {
    createFile(rowCount);
    await expect(verifyInWorker(path, { migrations: [] })).rejects.toMatchObject({
      errorCode: 'other-schema',
    });
  },
);
