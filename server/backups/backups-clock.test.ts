import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listBackups } from '../sqlite/backup-folder.ts';
import { BackedUpFolder, idsIn } from '../testing/backed-up-folder.ts';

const quarter = 15 * 60 * 1000;
const hour = 4 * quarter;
const actor = { who: 'test', requestId: '' };

let folder: BackedUpFolder;
beforeEach(async () => {
  folder = new BackedUpFolder();
  await folder.open();
});
afterEach(() => folder.remove());

describe('a wrong clock', () => {
  const year = 365 * 24 * hour;

  /** Creates ten backups, each after one more record. Returns their names. */
  async function createTenBackups(): Promise<string[]> {
    const names: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      await folder.create(`Record ${count}`);
      folder.now += 1000;
      names.push((await folder.backups.make(actor)).name);
    }
    return names;
  }

  test.each([
    ['an hour', hour],
    ['three years', 3 * year],
  ])(
    'keeps a new backup and a replaced database after the clock is set back by %s',
    async (_description, setBackMs) => {
      const [oldest = ''] = await createTenBackups();
      folder.now -= setBackMs;
      for (let count = 0; count < 5; count += 1) await folder.create('Behind the clock');
      const backup = await folder.backups.make(actor);
      expect((await idsIn(folder.backupPath(backup.name))).length).toBe(15);
      await folder.create('The last');
      const selectedName = (await folder.backups.list()).backups.at(-1)?.name ?? oldest;
      const { before } = await folder.backups.restore(selectedName, actor);
      expect((await idsIn(folder.backupPath(before.name))).length).toBe(16);
      expect((await folder.backups.list()).backups[0]).toEqual(before);
    },
  );

  test('keeps timed backups and creates new ones', async () => {
    await folder.create('One');
    await folder.advanceQuarterHour();
    folder.now -= 3 * year;
    await folder.create('Two');
    await folder.advanceQuarterHour();
    const [newest] = folder.scheduledBackups();
    expect([newest?.time, (await idsIn(newest?.path ?? '')).length]).toEqual([folder.now, 2]);
    await folder.advanceQuarterHour();
    expect(folder.scheduledBackups()).toHaveLength(2);
  });

  test('keeps the last ten backups of ten resets and of ten restores', async () => {
    for (const step of [0, -hour]) {
      const files: string[] = [];
      for (let count = 0; count < 10; count += 1) {
        folder.now += step;
        await folder.create('One');
        files.push((await folder.backups.empty(actor)).path);
      }
      for (const file of files) expect((await idsIn(file)).length).toBe(1);
    }
    const [{ name: reset } = { name: '' }] = (await folder.backups.list()).backups;
    const keptNames: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      folder.now -= hour;
      await folder.create('Before a restore');
      keptNames.push(
        (await folder.backups.restore(count === 0 ? reset : (keptNames.at(-1) ?? ''), actor)).before.name,
      );
    }
    const names = (await folder.backups.list()).backups.map(({ name }) => name);
    expect(names).toEqual(keptNames.toReversed());
  });

  test('creates a backup for each of eleven concurrent requests', async () => {
    await folder.create('One');
    const createdBackups = await Promise.all(Array.from({ length: 11 }, () => folder.backups.make(actor)));
    expect(new Set(createdBackups.map(({ name }) => name)).size).toBe(11);
    expect((await folder.backups.list()).backups.map(({ name }) => name)).toEqual(
      createdBackups
        .map(({ name }) => name)
        .toReversed()
        .slice(0, 10),
    );
  });

  test('treats a file without a number as older, and one from the future as the oldest', async () => {
    await folder.create('One');
    const { path } = listBackups(join(folder.path, 'records.db'))[0] ?? {
      path: folder.backupPath((await folder.backups.make(actor)).name),
    };
    const files = ['2029-01-01T00-00-00-000Z', '2026-01-01T00-00-00-000Z', '2026-02-01T00-00-00-000Z'];
    for (const time of files)
      writeFileSync(folder.backupPath(`records-${time}-asked.db`), readFileSync(path));
    const years = listBackups(join(folder.path, 'records.db')).map(({ time }) =>
      new Date(time).toISOString().slice(0, 7),
    );
    expect(years).toEqual(['2026-11', '2026-02', '2026-01', '2029-01']);
  });
});

describe('deletion of a backup by another program', () => {
  const deletedError = { kind: 'exception' };

  test('rejects a request whose backup was deleted', async () => {
    await folder.create('One');
    const { name } = await folder.backups.make(actor);
    folder.onWritten = (backup) => rmSync(backup);
    await expect(folder.backups.make(actor)).rejects.toMatchObject(deletedError);
    await expect(folder.backups.restore(name, actor)).rejects.toMatchObject(deletedError);
    await folder.create('Two');
    await expect(folder.backups.empty(actor)).rejects.toMatchObject(deletedError);
  });
});

describe('short sessions', () => {
  test('backs up the changes of a killed session at the start, and its own changes at a late stop', async () => {
    await folder.create('Of a session that was killed');
    await folder.workspace.changePreferences({ theme: 'dark' });
    await folder.kill();
    await folder.open();
    await folder.backups.begin();
    expect(
      [folder.scheduledBackups(), folder.scheduledBackups('workspace.db')].map(({ length }) => length),
    ).toEqual([1, 1]);

    await folder.create('Of this session');
    await folder.close();
    expect(folder.scheduledBackups()).toHaveLength(1);
    await folder.open();
    folder.now += quarter;
    await folder.backups.begin();
    expect(folder.scheduledBackups()).toHaveLength(2);

    await folder.create('Written behind it');
    folder.now += quarter;
    await folder.close();
    const [newest] = folder.scheduledBackups();
    expect([folder.scheduledBackups().length, (await idsIn(newest?.path ?? '')).length]).toEqual([3, 3]);
    await folder.open();
    folder.now += quarter;
    await folder.backups.begin();
    expect(folder.scheduledBackups()).toHaveLength(3);
  });

  test.each([
    ['back', -24 * hour],
    ['on', 24 * hour],
  ])('backs up changes after the clock was set %s', async (_way, offsetMs) => {
    await folder.create('One');
    await folder.backups.begin();
    await folder.create('Two');
    folder.now += offsetMs;
    await folder.kill();
    await folder.open();
    await folder.backups.begin();
    expect(folder.scheduledBackups()).toHaveLength(2);
  });

  test('leaves no partial backup after a short stop and creates it at the next start', async () => {
    await folder.close();
    folder.stopPatience = 0;
    await folder.open();
    await folder.backups.begin();
    await folder.create('Of a large store');
    const endedBackups = folder.backups;
    await folder.close();
    await endedBackups.idle();
    expect(folder.scheduledBackups()).toEqual([]);
    await folder.open();
    await folder.backups.begin();
    expect(folder.scheduledBackups()).toHaveLength(1);
    expect((await idsIn(folder.scheduledBackups()[0]?.path ?? '')).length).toBe(1);
    const files = readdirSync(folder.backupPath(''));
    expect(files.filter((file) => file.includes('.draft'))).toEqual([]);
  });

  test('backs up the records at a start if only a replaced file contains them', async () => {
    await folder.create('One');
    await folder.kill();
    const records = join(folder.path, 'records.db');
    const time = new Date(folder.now).toISOString().replaceAll(/[:.]/g, '-');
    copyFileSync(records, `${records}.replaced-${time}-0001`);
    await folder.open();
    await folder.backups.begin();
    expect(folder.scheduledBackups()).toHaveLength(1);
  });

  test('creates no backup of a new folder', async () => {
    await folder.backups.begin();
    expect([folder.scheduledBackups(), folder.scheduledBackups('workspace.db')]).toEqual([[], []]);
  });
});

test('skips and names a pipe, link or folder with the name of a backup', async () => {
  await folder.create('One');
  const { name } = await folder.backups.make(actor);
  const pathOf = (file: string) => folder.backupPath(file);
  const odd = ['a', 'b', 'c', 'd'].map((_, index) => `records-2026-01-0${index + 1}T00-00-00-000Z-asked.db`);
  const [pipe = '', link = '', inner = '', withPipe = ''] = odd;
  execFileSync('mkfifo', [pathOf(pipe), `${pathOf(withPipe)}.json`]);
  symlinkSync(pathOf(name), pathOf(link));
  mkdirSync(pathOf(inner));
  writeFileSync(pathOf(withPipe), readFileSync(pathOf(name)));
  const list = await folder.backups.list();
  expect(list.backups.map((backup) => backup.name)).toEqual([name]);
  expect(list.skipped.toSorted()).toEqual(odd);
  for (let count = 0; count < 12; count += 1) await folder.backups.make(actor);
  await folder.backups.atStart(undefined);
  expect(folder.lines.toSorted()).toEqual(odd.map((file) => `${file} is not a file and is skipped.`));
  expect(readdirSync(dirname(folder.backupPath(name)))).toEqual(expect.arrayContaining(odd));
});
