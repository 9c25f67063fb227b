import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inspectBeside } from './inspect-beside.ts';
import { connect } from './sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-beside-'));
  path = join(folder, 'copy.db');
  const database = connect(path);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE one (n INTEGER) STRICT');
  database.exec(
    'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 20000) INSERT INTO one SELECT n FROM n',
  );
  database.close();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('other work goes on while a file is inspected, and no file is left beside it', async () => {
  let turns = 0;
  const end = new AbortController();
  const inspected = inspectBeside(path).finally(() => end.abort());
  while (!end.signal.aborted) {
    await setImmediate();
    turns += 1;
  }
  await inspected;
  expect(turns).toBeGreaterThan(20);
  expect(readdirSync(folder)).toEqual(['copy.db']);
});

test.each([
  ['truncated', () => truncateSync(path, statSync(path).size - 4096)],
  ['empty', () => truncateSync(path)],
] as const)('a file that is %s is told', async (fault, damage) => {
  damage();
  await expect(inspectBeside(path)).rejects.toMatchObject({ fault });
});

test('another schema than that of its version is told', async () => {
  await expect(inspectBeside(path, { migrations: [] })).rejects.toMatchObject({ fault: 'other-schema' });
});
