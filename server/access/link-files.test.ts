import { chmod, mkdtemp, readdir, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  readServerAddress,
  removeAddressFile,
  createCodeFile,
  storeServerAddress,
  consumeCodeFile,
} from './link-files.ts';
import { hashToken } from './secret.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-links-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const now = Date.now();
const codeFile = (code: string) => join(folder, `sign-in-${hashToken(code)}`);

test('stores only the hash of a code and consumes the code once with every scope', async () => {
  const { code, expires } = createCodeFile(folder, now);
  expect(expires).toBe(now + 3_600_000);
  expect((await stat(codeFile(code))).mode & 0o777).toBe(0o600);
  const consume = (signInCode: string) => consumeCodeFile(folder, hashToken(signInCode));
  expect(consume('another')).toBeUndefined();
  expect(consume(code)).toEqual({ grant: { name: 'owner', scopes: ['system/*.*'] }, expires });
  expect(consume(code)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test('removes code files older than an hour and nothing else', async () => {
  const [expiredCode, recentCode] = [createCodeFile(folder, now), createCodeFile(folder, now)];
  await utimes(codeFile(expiredCode.code), (now - 3_600_001) / 1000, (now - 3_600_001) / 1000);
  await utimes(codeFile(recentCode.code), (now - 3_599_000) / 1000, (now - 3_599_000) / 1000);
  storeServerAddress(folder, 'http://127.0.0.1:4180');
  const { code } = createCodeFile(folder, now);
  const remainingFiles = [codeFile(recentCode.code), codeFile(code), join(folder, 'sign-in-address')];
  expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual(remainingFiles.sort());
});

test.skipIf(process.platform === 'win32')(
  'rejects a writable or linked code file and keeps it (not run on Windows)',
  async () => {
    const [writableCode, linkedCode] = [createCodeFile(folder, now), createCodeFile(folder, now)];
    await chmod(codeFile(writableCode.code), 0o666);
    const linked = hashToken('linked');
    await symlink(codeFile(linkedCode.code), join(folder, `sign-in-${linked}`));
    expect([consumeCodeFile(folder, hashToken(writableCode.code)), consumeCodeFile(folder, linked)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await readdir(folder)).toHaveLength(3);
  },
);

test('stores the address of a running server in its folder', async () => {
  expect(readServerAddress(folder)).toBeUndefined();
  storeServerAddress(folder, 'http://127.0.0.1:4180');
  expect(readServerAddress(folder)).toBe('http://127.0.0.1:4180');
  storeServerAddress(folder, '');
  expect(readServerAddress(folder)).toBeUndefined();
  storeServerAddress(folder, 'http://127.0.0.1:4181');
  removeAddressFile(folder);
  removeAddressFile(folder);
  expect([readServerAddress(folder), await readdir(folder)]).toEqual([undefined, []]);
});

test('ignores an address that can’t be stored', () => {
  const nowhere = join(folder, 'nowhere');
  storeServerAddress(nowhere, 'http://127.0.0.1:4180');
  expect(readServerAddress(nowhere)).toBeUndefined();
});
