/** Tests the exact lines that scripts parse (CHANGELOG.md, `Printed lines`). Their wording never changes. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderExitCodes } from '../sqlite/data-folder-error.ts';
import { runCli } from '../testing/run-cli.ts';

const plan =
  '{"resourceType":"CarePlan","id":"a","status":"active","intent":"plan","subject":{"reference":"Patient/p"}}';

let folder = '';
let dataDir = '';
let importResult: Awaited<ReturnType<typeof runCli>>;

const chartkeeper = (command: string, ...parameters: string[]) =>
  runCli([...command.split(' '), ...parameters, '--data', dataDir]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-lines-'));
  dataDir = join(folder, 'data');
  const file = join(folder, 'records.ndjson');
  writeFileSync(file, `${plan}\n{"resourceType":"CarePlan"\n`);
  importResult = await chartkeeper('import', '--keep-ids', file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('import prints a line for each refused record, then the counts', () => {
  expect(importResult).toMatchObject({ code: 1, stderr: '' });
  const lines = importResult.stdout.split('\n');
  expect(lines[0]).toMatch(/^refused \S+records\.ndjson:2: \S.*$/);
  expect(lines.slice(1)).toEqual(['1 stored, 0 unchanged, 1 refused.', '']);
});

test('backup prints only the path of the file', async () => {
  const { code, stdout } = await chartkeeper('backup');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\S+[/\\]backups[/\\]records-\S+\.db\n$/);
  expect(readFileSync(stdout.trim()).subarray(0, 15).toString()).toBe('SQLite format 3');
});

test('restore prints the path of the backup', async () => {
  const backup = (await chartkeeper('backup')).stdout.trim();
  const { code, stdout } = await chartkeeper('restore', backup);
  expect([code, stdout.split('\n')[0]]).toEqual([0, `Restored ${backup}.`]);
});

test('verify and repair print their counts last', async () => {
  const verified = await chartkeeper('verify');
  expect(verified.code).toBe(0);
  expect(verified.stdout).toMatch(/(^|\n)1 record, 1 version, \d+ audit entries: no damage\.\n$/);
  const repaired = await chartkeeper('repair');
  expect(repaired).toMatchObject({ code: 0, stderr: '' });
  expect(repaired.stdout).toMatch(/^1 text read, 0 damaged: [a-z ]+\.\n$/);
});

test('token create prints the ID and the token, and nothing else', async () => {
  const { code, stdout } = await chartkeeper(
    'token create',
    '--name',
    'lab feed',
    '--scope',
    'system/*.read',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^id {5}\S+\ntoken {2}\S+\n$/);
});

test('link prints Open and the link', async () => {
  const { code, stdout } = await chartkeeper('link', '--port', '4181');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Open http:\/\/127\.0\.0\.1:4181\/#code=\S+\n$/);
});

test('audit prints one AuditEvent per line', async () => {
  const { code, stdout } = await chartkeeper('audit');
  expect(code).toBe(0);
  for (const line of stdout.trimEnd().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ resourceType: 'AuditEvent' });
  }
});

test('keeps the exit codes of data folders', async () => {
  expect(folderExitCodes).toEqual({
    unusable: 10,
    'in-use': 11,
    newer: 12,
    empty: 13,
    foreign: 14,
    truncated: 15,
    damaged: 16,
    'read-only': 17,
    'other-schema': 18,
    'other-settings': 19,
    'not-a-folder': 20,
    'closed-folder': 21,
    missing: 22,
    'rotten-backup': 23,
    unfinished: 24,
  });
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign);
  copyFileSync(import.meta.filename, join(foreign, 'records.db'));
  expect((await runCli(['verify', '--data', foreign])).code).toBe(14);
  expect((await runCli(['verify', '--data', join(folder, 'none')])).code).toBe(10);
});
