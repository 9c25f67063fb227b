import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getProgramPath, setFuses } from './after-pack.ts';
import { fuses, listWrongFuses } from '../main/fuses.ts';
import { createFakeProgram } from '../main/testing/fake-program.ts';

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-fuses-'));
  program = join(folder, 'chartkeeper');
});
afterEach(() => rm(folder, { recursive: true }));

test('has a setting for each of the nine known fuses', () => {
  const knownNames = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
  expect(Object.keys(fuses).sort()).toEqual(knownNames.sort());
  expect(knownNames).toHaveLength(9);
});

test('sets all fuses and reads them back from the program', async () => {
  writeFileSync(program, createFakeProgram('101100011'));
  expect(await listWrongFuses(program)).toEqual([
    'RunAsNode',
    'EnableNodeOptionsEnvironmentVariable',
    'EnableNodeCliInspectArguments',
    'EnableCookieEncryption',
    'EnableEmbeddedAsarIntegrityValidation',
    'OnlyLoadAppFromAsar',
    'GrantFileProtocolExtraPrivileges',
  ]);
  await setFuses(program);
  expect(await listWrongFuses(program)).toEqual([]);
  expect(readFileSync(program, 'latin1')).toContain('010011001');
});

test('does not pack a program with an unknown fuse', async () => {
  writeFileSync(program, createFakeProgram('1011000111'));
  await expect(setFuses(program)).rejects.toThrow(/fuse/i);
});

test.each([
  ['linux', 'chartkeeper'],
  ['win32', 'Chartkeeper.exe'],
  ['darwin', 'Chartkeeper.app'],
  ['mas', 'Chartkeeper.app'],
])('finds the program on %s at %s', (electronPlatformName, name) => {
  const packager = { appInfo: { productFilename: 'Chartkeeper' }, executableName: 'chartkeeper' };
  expect(getProgramPath({ appOutDir: '/out', electronPlatformName, packager })).toBe(join('/out', name));
});
