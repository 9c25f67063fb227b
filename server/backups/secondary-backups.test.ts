import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackedUpFolder } from '../testing/backed-up-folder.ts';

const year = 365 * 24 * 3600 * 1000;
const doer = { who: 'test', requestId: '' };

let folder: BackedUpFolder;
let place: string;
beforeEach(async () => {
  folder = new BackedUpFolder();
  await folder.open();
  const outer = mkdtempSync(join(tmpdir(), 'chartkeeper-second-'));
  place = mkdtempSync(join(outer, 'disk-'));
  await folder.backups.useSecondPlace(place);
  return () => rmSync(outer, { recursive: true });
});
afterEach(() => folder.remove());

/** Makes so many backups, each of one more record. Returns their names. */
async function make(count: number): Promise<string[]> {
  const names: string[] = [];
  for (let made = 0; made < count; made += 1) {
    await folder.create('One more');
    folder.now += 1000;
    names.push((await folder.backups.make(doer)).name);
  }
  await folder.backups.idle();
  return names;
}

const copied = () => readdirSync(place).filter((name) => /^records-.*\.db$/.test(name));

test('copies the newest backup of a folder that was emptied while the second place was away', async () => {
  const former = await make(12);
  const away = `${place}-away`;
  renameSync(place, away);
  expect((await folder.backups.list()).secondPlace?.state).toBe('away');
  rmSync(folder.at(''), { recursive: true });
  const [name = ''] = await make(1);
  // Its number begins anew: in the order of writing it stands behind the others.
  expect(name).toContain('-0001-');
  renameSync(away, place);
  await folder.backups.list();
  await folder.backups.idle();
  expect(copied().toSorted()).toEqual([...former.slice(2), name].toSorted());
});

test('thins the second place in the order of writing, whatever the clock said', async () => {
  const former = await make(10);
  folder.now -= year;
  const latter = await make(3);
  expect(copied().toSorted()).toEqual([...former.slice(3), ...latter].toSorted());
});

test('lists and opens no pipe that lies in the second place under a backup’s name', async () => {
  const [name = ''] = await make(1);
  execFileSync('mkfifo', [join(place, 'records-2026-01-01T00-00-00-000Z-asked.db')]);
  await make(1);
  rmSync(folder.at(name));
  const { backups } = await folder.backups.list();
  expect(backups.map((one) => [one.place, one.name]).at(-1)).toEqual(['second', name]);
});
