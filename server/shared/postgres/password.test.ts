import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAddress } from './address.ts';
import { passwordOf } from './pools.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-password-'));
  file = join(folder, 'pgpass');
  writeFileSync(file, 'db1.example:5432:charts:reader:another\n*:5432:charts:server:kept secret\n', {
    mode: 0o600,
  });
  vi.stubEnv('PGPASSFILE', file);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const ask = (user: string) => {
  const address = readAddress(`postgres://${user}@db1.example,db2.example/charts`);
  return passwordOf(address, address)();
};

test('prefers the password of the address, then PGPASSWORD, then the file', async () => {
  expect(await ask('server')).toBe('kept secret');
  vi.stubEnv('PGPASSWORD', 'set secret');
  expect(await ask('server')).toBe('set secret');
  expect(await ask('server:own%20secret')).toBe('own secret');
});

test('rejects with a message without a password or with a file that others can read', async () => {
  const message = /needs a password\. Set PGPASSWORD, or add a line to ~\/\.pgpass/;
  await expect(ask('somebody')).rejects.toThrow(message);
  chmodSync(file, 0o644);
  await expect(ask('server')).rejects.toThrow(message);
});
