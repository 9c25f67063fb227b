import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackedUpFolder } from '../testing/backed-up-folder.ts';

const year = 365 * 24 * 3600 * 1000;
const actor = { who: 'test', requestId: '' };

let folder: BackedUpFolder;
let place: string;
beforeEach(async () => {
  folder = new BackedUpFolder();
  await folder.open();
  const outer = mkdtempSync(join(tmpdir(), 'chartkeeper-second-'));
  place = mkdtempSync(join(outer, 'disk-'));
  await folder.backups.setSecondaryFolder(place);
  return () => rmSync(outer, { recursive: true });
});
afterEach(() => folder.remove());

/** Creates backups, each with one more record. Returns their names. */
async function make(count: number): Promise<string[]> {
  const names: string[] = [];
  for (let madeCount = 0; madeCount < count; madeCount += 1) {
    await folder.create('One more');
    folder.now += 1000;
    names.push((await folder.backups.make(actor)).name);
  }
  await folder.backups.idle();
  return names;
}

const listCopies = () => readdirSync(place).filter((name) => /^records-.*\.db$/.test(name));

test('copies a new backup after the data folder was emptied during an outage', async () => {
  const formerNames = await make(12);
  const awayPath = `${place}-away`;
  renameSync(place, awayPath);
  expect((await folder.backups.list()).secondPlace?.state).toBe('away');
  rmSync(folder.backupPath(''), { recursive: true });
  const [name = ''] = await make(1);
  // The number of this backup starts again, so it comes after the others in the order of writing.
  expect(name).toContain('-0001-');
  renameSync(awayPath, place);
  await folder.backups.list();
  await folder.backups.idle();
  expect(listCopies().toSorted()).toEqual([...formerNames.slice(2), name].toSorted());
});

test('prunes the secondary folder by the order of writing, for any clock', async () => {
  const earlierNames = await make(10);
  folder.now -= year;
  const laterNames = await make(3);
  expect(listCopies().toSorted()).toEqual([...earlierNames.slice(3), ...laterNames].toSorted());
});

test('neither lists nor opens a pipe with the name of a backup', async () => {
  const [name = ''] = await make(1);
  execFileSync('mkfifo', [join(place, 'records-2026-01-01T00-00-00-000Z-asked.db')]);
  await make(1);
  rmSync(folder.backupPath(name));
  const { backups } = await folder.backups.list();
  expect(backups.map((backup) => [backup.place, backup.name]).at(-1)).toEqual(['second', name]);
});
