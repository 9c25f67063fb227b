import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPackage } from './read-package.ts';
import { packageFiles, profile, profileUrl, tgzOf } from './testing/make-package.ts';
import type { TarHeader } from 'modern-tar';

test('an entry says of what type a profile is, and whether it comes with its snapshot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bare = { ...profile, snapshot: undefined };
  const files = {
    ...packageFiles(),
    'package/StructureDefinition-bare.json': { ...bare, url: `${profileUrl}-bare` },
    'package/StructureDefinition-logical.json': {
      ...{ ...bare, url: `${profileUrl}-logical`, derivation: 'specialization' },
    },
  };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const { entries, others, notes } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  const profiles = entries.map(({ url, profile: of }) => [url.replace(/.*\//, ''), of]);
  expect(Object.fromEntries(profiles)).toEqual({
    'ward-plan': { type: 'CarePlan', snapshot: true },
    'ward-plan-bare': { type: 'CarePlan', snapshot: false },
    'ward-plan-logical': undefined,
    intents: undefined,
  });
  expect([others, notes]).toEqual([2, []]);
});

test('of files that cannot be used the first twenty are named, the others counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const nameless = Array.from({ length: 23 }, (_, at) => [
    `package/ValueSet-${at}.json`,
    { resourceType: 'ValueSet' },
  ]);
  const files = { ...packageFiles(), ...Object.fromEntries(nameless) };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const { notes } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe('The same is true of 3 other files.');
});

const special = (type: NonNullable<TarHeader['type']>): TarHeader => ({
  ...{ name: 'package/extra.json', size: 0, type },
  linkname: 'package/package.json',
});

test.each([
  ['a path upwards', { '../extra.json': '{}' }, [], 'a path that leads out of it: ../extra.json'],
  ['a path upwards within another', { 'package/../../extra.json': '{}' }, [], 'a path that leads out of it'],
  ['a path upwards with backslashes', { 'package\\..\\..\\extra.json': '{}' }, [], 'leads out of it'],
  ['an absolute path', { '/extra.json': '{}' }, [], 'a path that leads out of it: /extra.json'],
  ['a drive', { 'C:extra.json': '{}' }, [], 'a path that leads out of it: C:extra.json'],
  ['a symbolic link', {}, [special('symlink')], 'holds a link: package/extra.json'],
  ['a hard link', {}, [special('link')], 'holds a link: package/extra.json'],
  ['a device', {}, [special('block-device')], 'holds a device: package/extra.json'],
  ['a pipe', {}, [special('fifo')], 'holds a pipe: package/extra.json'],
] as const)('refuses an archive that holds %s', async (_what, files, further, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'one.tgz');
  writeFileSync(path, await tgzOf({ ...packageFiles(), ...files }, further));
  await expect(readPackage(path, join(folder, 'read'))).rejects.toThrow(sentence);
});

test('refuses a folder that holds a link in the place of a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'package'));
  for (const [path, content] of Object.entries(packageFiles()))
    if (path.split('/').length === 2) writeFileSync(join(folder, path), JSON.stringify(content));
  symlinkSync('package.json', join(folder, 'package', 'extra.json'));
  await expect(readPackage(folder, join(folder, 'read'))).rejects.toThrow('holds a link: package/extra.json');
});
