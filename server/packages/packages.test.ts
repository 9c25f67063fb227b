import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { smallDisk } from '../testing/small-disk.ts';
import { receive } from './receive.ts';
import { addTo, file, killAt, names, openPackages } from './testing/killed.ts';
import { codeSystem, packageFiles, profile, profileUrl, tgzOf, valueSet } from './testing/make-package.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'chartkeeper-packages-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (folder = dataDir) => openPackages(folder);

test('reads, writes and caches nothing without packages', async () => {
  const installation = open();
  await installation.packages.begin();
  expect(installation.packages.set().stamp).toBe('');
  expect(readdirSync(dataDir)).toEqual([]);
});

test('reads definitions unchanged by canonical, with or without a version', async () => {
  const installation = open();
  await addTo(installation);
  const set = installation.packages.set();
  expect(set.structureDefinition(profileUrl)).toEqual(profile);
  expect(set.structureDefinition(`${profileUrl}|1.2.0`)).toEqual(profile);
  expect(set.structureDefinition(`${profileUrl}|1.2.1`)).toBeUndefined();
  expect(set.valueSet(profileUrl)).toBeUndefined();
  expect(set.valueSet(`${valueSet.url}|1.0`)).toEqual(valueSet);
  expect(set.codeSystem(codeSystem.url)).toEqual(codeSystem);
});

test('has the same definitions and fingerprint after a restart', async () => {
  const installation = open();
  await addTo(installation);
  const reopened = open();
  await reopened.packages.begin();
  const set = reopened.packages.set();
  expect(set.stamp).toBe(installation.packages.set().stamp);
  expect(set.structureDefinition(profileUrl)).toEqual(profile);
});

test('notifies listeners of changes only', async () => {
  const installation = open();
  const stamps: string[] = [];
  installation.packages.onChange(({ stamp }) => void stamps.push(stamp));
  await addTo(installation);
  await addTo(installation);
  await installation.packages.look();
  await addTo(installation, { version: '2.0.0' });
  await installation.packages.remove('ward.example.plans-2.0.0.tgz');
  await installation.packages.remove(file);
  expect(stamps).toHaveLength(4);
  expect(stamps[0]).toBe(stamps[2]);
  expect(stamps[1]).not.toBe(stamps[0]);
  expect(stamps[3]).toBe('');
});

test('provides stored definitions at start and reads only changed files again', async () => {
  await addTo(open());
  const definitionsFile = join(dataDir, 'packages', '.read', `${file}.definitions`);
  const { mtimeMs } = statSync(definitionsFile);
  const reopened = open();
  await reopened.packages.begin();
  expect(await names(reopened)).toEqual([[file, 'held']]);
  expect(statSync(definitionsFile).mtimeMs).toBe(mtimeMs);

  writeFileSync(join(dataDir, 'packages', file), await tgzOf(packageFiles({ title: 'Another' })));
  const openedAfterChange = open();
  await openedAfterChange.packages.begin();
  expect(await names(openedAfterChange)).toEqual([[file, 'reading']]);
  await openedAfterChange.packages.look();
  expect((await openedAfterChange.packages.list()).packages).toMatchObject([
    { title: 'Another', state: 'held' },
  ]);
});

test('rebuilds damaged or missing definition files', async () => {
  await addTo(open());
  const readFolder = join(dataDir, 'packages', '.read');
  for (const harm of [
    () => writeFileSync(join(readFolder, `${file}.definitions`), 'x'),
    () => rmSync(readFolder, { recursive: true }),
  ]) {
    harm();
    const installation = open();
    await installation.packages.look();
    expect(await names(installation)).toEqual([[file, 'held']]);
    expect(installation.packages.set().structureDefinition(profileUrl)).toEqual(profile);
  }
});

test('removes a package whose file no longer exists', async () => {
  const installation = open();
  await addTo(installation);
  rmSync(join(dataDir, 'packages', file));
  expect(await installation.packages.remove(file)).toBe(true);
  expect(await names(installation)).toEqual([]);
});

test('omits a definition that cannot be read', async () => {
  const installation = open();
  await addTo(installation);
  rmSync(join(dataDir, 'packages', '.read', `${file}.definitions`));
  expect(installation.packages.set().structureDefinition(profileUrl)).toBeUndefined();
});

test.each([
  [1, 'add'],
  [3, 'add'],
  [2, 'remove'],
] as const)('leaves the packages as before or after a kill at step %i of an %s', async (step, task) => {
  expect(await killAt(dataDir, step, task)).toBe(false);
});

test('keeps the packages and no temporary file on a full disk (skipped without mounts)', async ({ skip }) => {
  const disk = smallDisk('1m', skip);
  const installation = open(disk);
  await addTo(installation);
  const before = readdirSync(disk, { recursive: true, encoding: 'utf8' });
  const large = await tgzOf({
    ...packageFiles({ name: 'large' }),
    'package/ValueSet-x.json': {
      ...valueSet,
      url: 'https://x.example',
      description: 'x'.repeat(1024 ** 2),
    },
  });
  const received = installation.packages.incoming();
  writeFileSync(received, large);
  await expect(installation.packages.add(received)).rejects.toMatchObject({ code: 'ENOSPC' });
  const path = installation.packages.incoming();
  await expect(
    receive(Readable.from([Buffer.alloc(2 * 1024 ** 2)]), path, 4 * 1024 ** 2),
  ).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(disk, { recursive: true, encoding: 'utf8' })).toEqual(before);
  expect(await names(installation)).toEqual([[file, 'held']]);
});
