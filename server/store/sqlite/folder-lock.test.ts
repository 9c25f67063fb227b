import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hold, look } from './folder-lock.ts';
import { checkDriver } from './sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-lock-'));
  path = join(folder, 'data', 'records.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const inUse = expect.objectContaining({
  fault: 'in-use',
  message: expect.stringContaining('is in use by another Chartkeeper') as string,
}) as unknown;

test('item 7: what one holds no other holds or looks at, until it lets go', () => {
  const release = hold(path);
  expect(() => hold(path)).toThrow(inUse);
  expect(() => look(path)).toThrow(inUse);
  release();
  hold(path)();
  look(path)();
});

test('several may look, and none holds meanwhile', () => {
  hold(path)();
  const [one, other] = [look(path), look(path)];
  expect(() => hold(path)).toThrow(inUse);
  one();
  expect(() => hold(path)).toThrow(inUse);
  other();
  hold(path)();
});

test('what nobody ever held is looked at without a trace', () => {
  look(path)();
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('the lock is an empty file, closed to others', () => {
  const release = hold(path);
  const { mode, size } = statSync(`${path}-lock`);
  expect([mode & 0o777, size, readdirSync(join(folder, 'data'))]).toEqual([0o600, 0, ['records.db-lock']]);
  release();
});

test('item 7: a process that is killed lets go', async () => {
  hold(path)();
  const text = `
    const Database = require('better-sqlite3');
    const options = { nativeBinding: process.env.NATIVE || undefined };
    new Database(${JSON.stringify(`${path}-lock`)}, options).exec('BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', text], {
    cwd: import.meta.dirname,
    env: { ...process.env, NATIVE: checkDriver() ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => hold(path)).toThrow(inUse);
  child.kill('SIGKILL');
  await once(child, 'exit');
  hold(path)();
});
