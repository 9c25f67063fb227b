import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listBackups } from '../store/sqlite/backup-folder.ts';
import { BackedUpFolder, idsIn } from '../testing/backed-up-folder.ts';

const quarter = 15 * 60 * 1000;
const hour = 4 * quarter;
const doer = { who: 'test', requestId: '' };

let folder: BackedUpFolder;
beforeEach(async () => {
  folder = new BackedUpFolder();
  await folder.open();
});
afterEach(() => folder.remove());

describe('row 35: the clock was wrong', () => {
  const year = 365 * 24 * hour;

  /** Ten backups on request, each after one more record; answers their names. */
  async function tenBackups(): Promise<string[]> {
    const names: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      await folder.create(`Record ${count}`);
      folder.now += 1000;
      names.push((await folder.backups.make(doer)).name);
    }
    return names;
  }

  test.each([
    ['an hour', hour],
    ['three years', 3 * year],
  ])('keeps a new backup, and what a restore replaces, behind a clock set back by %s', async (_by, back) => {
    const [oldest = ''] = await tenBackups();
    folder.now -= back;
    for (let count = 0; count < 5; count += 1) await folder.create('Behind the clock');
    const made = await folder.backups.make(doer);
    expect((await idsIn(folder.at(made.name))).length).toBe(15);
    await folder.create('The last');
    const chosen = (await folder.backups.list()).backups.at(-1)?.name ?? oldest;
    const { before } = await folder.backups.restore(chosen, doer);
    expect((await idsIn(folder.at(before.name))).length).toBe(16);
    expect((await folder.backups.list()).backups[0]).toEqual(before);
  });

  test('keeps the clock’s own copies and copies on', async () => {
    await folder.create('One');
    await folder.quarterLater();
    folder.now -= 3 * year;
    await folder.create('Two');
    await folder.quarterLater();
    const [newest] = folder.timed();
    expect([newest?.time, (await idsIn(newest?.path ?? '')).length]).toEqual([folder.now, 2]);
    await folder.quarterLater();
    expect(folder.timed()).toHaveLength(2);
  });

  test('ten resets, and ten restores, lose none of the ten that stay', async () => {
    for (const step of [0, -hour]) {
      const files: string[] = [];
      for (let count = 0; count < 10; count += 1) {
        folder.now += step;
        await folder.create('One');
        files.push((await folder.backups.empty(doer)).path);
      }
      for (const file of files) expect((await idsIn(file)).length).toBe(1);
    }
    const [{ name: reset } = { name: '' }] = (await folder.backups.list()).backups;
    const kept: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      folder.now -= hour;
      await folder.create('Before a restore');
      kept.push((await folder.backups.restore(count === 0 ? reset : (kept.at(-1) ?? ''), doer)).before.name);
    }
    const names = (await folder.backups.list()).backups.map(({ name }) => name);
    expect(names).toEqual(kept.toReversed());
  });

  test('eleven requests at once are answered with a backup each', async () => {
    await folder.create('One');
    const made = await Promise.all(Array.from({ length: 11 }, () => folder.backups.make(doer)));
    expect(new Set(made.map(({ name }) => name)).size).toBe(11);
    expect((await folder.backups.list()).backups.map(({ name }) => name)).toEqual(
      made
        .map(({ name }) => name)
        .toReversed()
        .slice(0, 10),
    );
  });

  test('takes a file without a number for older than all with one, and one of a time to come for the oldest', async () => {
    await folder.create('One');
    const { path } = listBackups(join(folder.path, 'records.db'))[0] ?? {
      path: folder.at((await folder.backups.make(doer)).name),
    };
    const files = ['2029-01-01T00-00-00-000Z', '2026-01-01T00-00-00-000Z', '2026-02-01T00-00-00-000Z'];
    for (const time of files) writeFileSync(folder.at(`records-${time}-asked.db`), readFileSync(path));
    const years = listBackups(join(folder.path, 'records.db')).map(({ time }) =>
      new Date(time).toISOString().slice(0, 7),
    );
    expect(years).toEqual(['2026-11', '2026-02', '2026-01', '2029-01']);
  });
});

describe('row 35: short sessions', () => {
  test('a start copies what a killed session left, and a stop what its own wrote, where a quarter has gone', async () => {
    await folder.create('Of a session that was killed');
    await folder.workspace.changePreferences({ theme: 'dark' });
    await folder.kill();
    await folder.open();
    await folder.backups.begin();
    expect([folder.timed(), folder.timed('workspace.db')].map(({ length }) => length)).toEqual([1, 1]);

    await folder.create('Of this session');
    await folder.close();
    expect(folder.timed()).toHaveLength(1);
    await folder.open();
    folder.now += quarter;
    await folder.backups.begin();
    expect(folder.timed()).toHaveLength(2);

    await folder.create('Written behind it');
    folder.now += quarter;
    await folder.close();
    const [newest] = folder.timed();
    expect([folder.timed().length, (await idsIn(newest?.path ?? '')).length]).toEqual([3, 3]);
    await folder.open();
    folder.now += quarter;
    await folder.backups.begin();
    expect(folder.timed()).toHaveLength(3);
  });

  test.each([
    ['back', -24 * hour],
    ['on', 24 * hour],
  ])('a clock that was set %s makes what was written due', async (_way, moved) => {
    await folder.create('One');
    await folder.backups.begin();
    await folder.create('Two');
    folder.now += moved;
    await folder.kill();
    await folder.open();
    await folder.backups.begin();
    expect(folder.timed()).toHaveLength(2);
  });

  test('a stop that may not wait leaves no half of a backup, and the next start makes it', async () => {
    await folder.close();
    folder.stopPatience = 0;
    await folder.open();
    await folder.backups.begin();
    await folder.create('Of a large store');
    const ended = folder.backups;
    await folder.close();
    await ended.idle();
    await folder.open();
    await folder.backups.begin();
    expect(folder.timed()).toHaveLength(1);
    expect((await idsIn(folder.timed()[0]?.path ?? '')).length).toBe(1);
    const files = readdirSync(folder.at(''));
    expect(files.filter((file) => file.includes('.draft'))).toEqual([]);
  });

  test('a new folder has nothing to copy', async () => {
    await folder.backups.begin();
    expect([folder.timed(), folder.timed('workspace.db')]).toEqual([[], []]);
  });
});

test('row 40: a pipe, a link or a folder under a backup’s name is skipped and named', async () => {
  await folder.create('One');
  const { name } = await folder.backups.make(doer);
  const at = (file: string) => folder.at(file);
  const odd = ['a', 'b', 'c', 'd'].map((_, index) => `records-2026-01-0${index + 1}T00-00-00-000Z-asked.db`);
  const [pipe = '', link = '', inner = '', withPipe = ''] = odd;
  execFileSync('mkfifo', [at(pipe), `${at(withPipe)}.json`]);
  symlinkSync(at(name), at(link));
  mkdirSync(at(inner));
  writeFileSync(at(withPipe), readFileSync(at(name)));
  const list = await folder.backups.list();
  expect(list.backups.map((one) => one.name)).toEqual([name]);
  expect(list.skipped.toSorted()).toEqual(odd);
  for (let count = 0; count < 12; count += 1) await folder.backups.make(doer);
  await folder.backups.atStart(undefined);
  expect(folder.lines.toSorted()).toEqual(odd.map((file) => `${file} is not a file and is skipped.`));
  expect(readdirSync(dirname(folder.at(name)))).toEqual(expect.arrayContaining(odd));
});
