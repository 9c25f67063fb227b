import { chmod, mkdtemp, readdir, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressIn, forgetAddress, leaveCode, noteAddress, takeLeft } from './link-files.ts';
import { hashToken } from './secret.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-links-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const now = Date.now();
const fileOf = (code: string) => join(folder, `sign-in-${hashToken(code)}`);

test('a code is left in a file that names its hash alone, and is taken once, with every scope', async () => {
  const { code, expires } = leaveCode(folder, now);
  expect(expires).toBe(now + 3_600_000);
  expect((await stat(fileOf(code))).mode & 0o777).toBe(0o600);
  const take = (one: string) => takeLeft(folder, hashToken(one));
  expect(take('another')).toBeUndefined();
  expect(take(code)).toEqual({ grant: { name: 'owner', scopes: ['system/*.*'] }, expires });
  expect(take(code)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test('the next code takes those away that are older than an hour, and nothing else', async () => {
  const [old, young] = [leaveCode(folder, now), leaveCode(folder, now)];
  await utimes(fileOf(old.code), (now - 3_600_001) / 1000, (now - 3_600_001) / 1000);
  await utimes(fileOf(young.code), (now - 3_599_000) / 1000, (now - 3_599_000) / 1000);
  noteAddress(folder, 'http://127.0.0.1:4180');
  const { code } = leaveCode(folder, now);
  const left = [fileOf(young.code), fileOf(code), join(folder, 'sign-in-address')];
  expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual(left.sort());
});

test.skipIf(process.platform === 'win32')(
  'a file that others may write, and a link to one, is no code and stays (not run on Windows)',
  async () => {
    const [open, other] = [leaveCode(folder, now), leaveCode(folder, now)];
    await chmod(fileOf(open.code), 0o666);
    const linked = hashToken('linked');
    await symlink(fileOf(other.code), join(folder, `sign-in-${linked}`));
    expect([takeLeft(folder, hashToken(open.code)), takeLeft(folder, linked)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await readdir(folder)).toHaveLength(3);
  },
);

test('where a server answers stands in its folder while it does', async () => {
  expect(addressIn(folder)).toBeUndefined();
  noteAddress(folder, 'http://127.0.0.1:4180');
  expect(addressIn(folder)).toBe('http://127.0.0.1:4180');
  noteAddress(folder, '');
  expect(addressIn(folder)).toBeUndefined();
  noteAddress(folder, 'http://127.0.0.1:4181');
  forgetAddress(folder);
  forgetAddress(folder);
  expect([addressIn(folder), await readdir(folder)]).toEqual([undefined, []]);
});

test('an address that cannot be told is no fault', () => {
  const nowhere = join(folder, 'nowhere');
  noteAddress(nowhere, 'http://127.0.0.1:4180');
  expect(addressIn(nowhere)).toBeUndefined();
});
