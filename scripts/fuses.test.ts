import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programOf, setFuses } from './after-pack.ts';
import { fuses, wrongFuses } from '../main/fuses.ts';
import { fakeProgram } from '../main/testing/fake-program.ts';

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-fuses-'));
  program = join(folder, 'chartkeeper');
});
afterEach(() => rm(folder, { recursive: true }));

test('every fuse that is known has a setting, nine of them', () => {
  const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
  expect(Object.keys(fuses).sort()).toEqual(known.sort());
  expect(known).toHaveLength(9);
});

test('all are set, and read back from the program', async () => {
  writeFileSync(program, fakeProgram('101100011'));
  expect(await wrongFuses(program)).toEqual([
    'RunAsNode',
    'EnableNodeOptionsEnvironmentVariable',
    'EnableNodeCliInspectArguments',
    'EnableCookieEncryption',
    'EnableEmbeddedAsarIntegrityValidation',
    'OnlyLoadAppFromAsar',
    'GrantFileProtocolExtraPrivileges',
  ]);
  await setFuses(program);
  expect(await wrongFuses(program)).toEqual([]);
  expect(readFileSync(program, 'latin1')).toContain('010011001');
});

test('a program with a fuse that is not decided on is not packed', async () => {
  writeFileSync(program, fakeProgram('1011000111'));
  await expect(setFuses(program)).rejects.toThrow(/fuse/i);
});

test.each([
  ['linux', 'chartkeeper'],
  ['win32', 'Chartkeeper.exe'],
  ['darwin', 'Chartkeeper.app'],
  ['mas', 'Chartkeeper.app'],
])('the program on %s is %s', (electronPlatformName, name) => {
  const packager = { appInfo: { productFilename: 'Chartkeeper' }, executableName: 'chartkeeper' };
  expect(programOf({ appOutDir: '/out', electronPlatformName, packager })).toBe(join('/out', name));
});
