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

test('without packages nothing is read, written or held', async () => {
  const one = open();
  await one.packages.begin();
  expect(one.packages.set().stamp).toBe('');
  expect(readdirSync(dataDir)).toEqual([]);
});

test('the definitions are read as they were sent, by canonical, with a version or without', async () => {
  const one = open();
  await addTo(one);
  const set = one.packages.set();
  expect(set.structureDefinition(profileUrl)).toEqual(profile);
  expect(set.structureDefinition(`${profileUrl}|1.2.0`)).toEqual(profile);
  expect(set.structureDefinition(`${profileUrl}|1.2.1`)).toBeUndefined();
  expect(set.valueSet(profileUrl)).toBeUndefined();
  expect(set.valueSet(`${valueSet.url}|1.0`)).toEqual(valueSet);
  expect(set.codeSystem(codeSystem.url)).toEqual(codeSystem);
});

test('who opens the folder anew has the same definitions, under the same stamp', async () => {
  const one = open();
  await addTo(one);
  const anew = open();
  await anew.packages.begin();
  const beside = anew.packages.set();
  expect(beside.stamp).toBe(one.packages.set().stamp);
  expect(beside.structureDefinition(profileUrl)).toEqual(profile);
});

test('whoever judges is told of each change, and of none where nothing changed', async () => {
  const one = open();
  const stamps: string[] = [];
  one.packages.onChange(({ stamp }) => void stamps.push(stamp));
  await addTo(one);
  await addTo(one);
  await one.packages.look();
  await addTo(one, { version: '2.0.0' });
  await one.packages.remove('ward.example.plans-2.0.0.tgz');
  await one.packages.remove(file);
  expect(stamps).toHaveLength(4);
  expect(stamps[0]).toBe(stamps[2]);
  expect(stamps[1]).not.toBe(stamps[0]);
  expect(stamps[3]).toBe('');
});

test('a start has what was read before at once, and reads again only what is another file', async () => {
  await addTo(open());
  const read = join(dataDir, 'packages', '.read', `${file}.definitions`);
  const { mtimeMs } = statSync(read);
  const again = open();
  await again.packages.begin();
  expect(await names(again)).toEqual([[file, 'held']]);
  expect(statSync(read).mtimeMs).toBe(mtimeMs);

  writeFileSync(join(dataDir, 'packages', file), await tgzOf(packageFiles({ title: 'Another' })));
  const changed = open();
  await changed.packages.begin();
  expect(await names(changed)).toEqual([[file, 'reading']]);
  await changed.packages.look();
  expect((await changed.packages.list()).packages).toMatchObject([{ title: 'Another', state: 'held' }]);
});

test('what was read is made anew where it is damaged or gone', async () => {
  await addTo(open());
  const read = join(dataDir, 'packages', '.read');
  for (const harm of [
    () => writeFileSync(join(read, `${file}.definitions`), 'x'),
    () => rmSync(read, { recursive: true }),
  ]) {
    harm();
    const one = open();
    await one.packages.look();
    expect(await names(one)).toEqual([[file, 'held']]);
    expect(one.packages.set().structureDefinition(profileUrl)).toEqual(profile);
  }
});

test('a package whose file somebody took away is removed all the same', async () => {
  const one = open();
  await addTo(one);
  rmSync(join(dataDir, 'packages', file));
  expect(await one.packages.remove(file)).toBe(true);
  expect(await names(one)).toEqual([]);
});

test('a definition that cannot be read is not at hand', async () => {
  const one = open();
  await addTo(one);
  rmSync(join(dataDir, 'packages', '.read', `${file}.definitions`));
  expect(one.packages.set().structureDefinition(profileUrl)).toBeUndefined();
});

test.each([
  [1, 'add'],
  [3, 'add'],
  [2, 'remove'],
] as const)('a kill at step %i of an %s leaves the packages as before or after', async (step, task) => {
  expect(await killAt(dataDir, step, task)).toBe(false);
});

test('a full disk keeps what is there, and leaves nothing behind (not run where nothing can be mounted)', async ({
  skip,
}) => {
  const disk = smallDisk('1m', skip);
  const one = open(disk);
  await addTo(one);
  const before = readdirSync(disk, { recursive: true, encoding: 'utf8' });
  const large = await tgzOf({
    ...packageFiles({ name: 'large' }),
    'package/ValueSet-x.json': {
      ...valueSet,
      url: 'https://x.example',
      description: 'x'.repeat(1024 ** 2),
    },
  });
  const received = one.packages.incoming();
  writeFileSync(received, large);
  await expect(one.packages.add(received)).rejects.toMatchObject({ code: 'ENOSPC' });
  const path = one.packages.incoming();
  await expect(
    receive(Readable.from([Buffer.alloc(2 * 1024 ** 2)]), path, 4 * 1024 ** 2),
  ).rejects.toMatchObject({
    code: 'ENOSPC',
  });
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(disk, { recursive: true, encoding: 'utf8' })).toEqual(before);
  expect(await names(one)).toEqual([[file, 'held']]);
});
