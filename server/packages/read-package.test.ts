import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPackage } from './read-package.ts';
import { packageFiles, profile, profileUrl, tgzOf } from './testing/make-package.ts';
import type { TarHeader } from 'modern-tar';

test('lists the type of a profile and whether it has a snapshot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bare = { ...profile, snapshot: undefined };
  const files = {
    ...packageFiles(),
    'package/StructureDefinition-bare.json': { ...bare, url: `${profileUrl}-bare` },
    'package/StructureDefinition-logical.json': {
      ...bare,
      url: `${profileUrl}-logical`,
      derivation: 'specialization',
    },
  };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const {
    entries,
    others: otherCount,
    notes,
  } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  const profiles = entries.map(({ url, profile }) => [url.replace(/.*\//, ''), profile]);
  expect(Object.fromEntries(profiles)).toEqual({
    'ward-plan': { type: 'CarePlan', snapshot: true },
    'ward-plan-bare': { type: 'CarePlan', snapshot: false },
    'ward-plan-logical': undefined,
    intents: undefined,
  });
  expect([otherCount, notes]).toEqual([2, []]);
});

test('names the first twenty unusable files and counts the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const nameless = Array.from({ length: 23 }, (_, index) => [
    `package/ValueSet-${index}.json`,
    { resourceType: 'ValueSet' },
  ]);
  const files = { ...packageFiles(), ...Object.fromEntries(nameless) };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const { notes } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe('The same applies to 3 more files.');
});

const special = (type: NonNullable<TarHeader['type']>): TarHeader => ({
  name: 'package/extra.json',
  size: 0,
  type,
  linkname: 'package/package.json',
});

test.each([
  ['a path upwards', { '../extra.json': '{}' }, [], 'a path outside itself: ../extra.json'],
  ['a path upwards within another', { 'package/../../extra.json': '{}' }, [], 'a path outside itself'],
  ['a path upwards with backslashes', { 'package\\..\\..\\extra.json': '{}' }, [], 'outside itself'],
  ['an absolute path', { '/extra.json': '{}' }, [], 'a path outside itself: /extra.json'],
  ['a drive', { 'C:extra.json': '{}' }, [], 'a path outside itself: C:extra.json'],
  ['a symbolic link', {}, [special('symlink')], 'contains a link: package/extra.json'],
  ['a hard link', {}, [special('link')], 'contains a link: package/extra.json'],
  ['a device', {}, [special('block-device')], 'contains a device: package/extra.json'],
  ['a pipe', {}, [special('fifo')], 'contains a pipe: package/extra.json'],
] as const)('rejects an archive that contains %s', async (_description, files, furtherHeaders, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'one.tgz');
  writeFileSync(path, await tgzOf({ ...packageFiles(), ...files }, furtherHeaders));
  await expect(readPackage(path, join(folder, 'read'))).rejects.toThrow(sentence);
});

test('rejects a folder that contains a link in place of a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'package'));
  for (const [path, content] of Object.entries(packageFiles()))
    if (path.split('/').length === 2) writeFileSync(join(folder, path), JSON.stringify(content));
  symlinkSync('package.json', join(folder, 'package', 'extra.json'));
  await expect(readPackage(folder, join(folder, 'read'))).rejects.toThrow(
    'contains a link: package/extra.json',
  );
});
