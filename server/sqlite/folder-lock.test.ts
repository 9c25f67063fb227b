import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock, look } from './folder-lock.ts';
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
  errorCode: 'in-use',
  message: expect.stringContaining('is in use by another Chartkeeper') as string,
}) as unknown;

test('locks a folder against other locks and shared locks until it is released', () => {
  const release = acquireLock(path);
  expect(() => acquireLock(path)).toThrow(inUse);
  expect(() => look(path)).toThrow(inUse);
  release();
  acquireLock(path)();
  look(path)();
});

test('allows several shared locks but no exclusive lock among them', () => {
  acquireLock(path)();
  const [releaseFirst, releaseSecond] = [look(path), look(path)];
  expect(() => acquireLock(path)).toThrow(inUse);
  releaseFirst();
  expect(() => acquireLock(path)).toThrow(inUse);
  releaseSecond();
  acquireLock(path)();
});

test('creates no file for a shared lock on a folder that was never locked', () => {
  look(path)();
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('creates an empty lock file with mode 0600', () => {
  const release = acquireLock(path);
  const { mode, size } = statSync(`${path}-lock`);
  expect([mode & 0o777, size, readdirSync(join(folder, 'data'))]).toEqual([0o600, 0, ['records.db-lock']]);
  release();
});

test('releases the lock of a killed process', async () => {
  acquireLock(path)();
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
  expect(() => acquireLock(path)).toThrow(inUse);
  child.kill('SIGKILL');
  await once(child, 'exit');
  acquireLock(path)();
});
