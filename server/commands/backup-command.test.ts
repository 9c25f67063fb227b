import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openRecords } from '../start.ts';
import { backupPath } from '../store/sqlite/backup-folder.ts';
import { closing, connect } from '../store/sqlite/sqlite.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan } from '../testing/test-server.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { runRestore } from './backup-command.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-backup-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const cli = (...parameters: string[]) => runCli([...parameters, '--data', dataDir]);

/** Stores a plan with this title; answers how many plans there are then. */
async function store(title: string): Promise<number> {
  const { store: records, service } = await openRecords(dataDir);
  const text = carePlan('Patient/p', `,"title":"${title}"`);
  await service.create({ type: 'CarePlan', author: 'test', text });
  const { CarePlan } = await records.count();
  await records.close();
  return CarePlan;
}

async function count(): Promise<number> {
  const { store: records } = await openRecords(dataDir);
  const { CarePlan } = await records.count();
  await records.close();
  return CarePlan;
}

test('a backup is restored in the place of what came after it, which is kept', async () => {
  await store('One');
  const { code, stdout } = await cli('backup');
  expect([code, existsSync(stdout.trim())]).toEqual([0, true]);
  expect(await store('Two')).toBe(2);
  const restored = await cli('restore');
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(stdout.trim()) });
  expect(await count()).toBe(1);

  const aside = /kept as (.*)\.$/m.exec(restored.stdout)?.[1] ?? '';
  expect(await cli('restore', aside)).toMatchObject({ code: 0 });
  expect(await count()).toBe(2);
});

test('row 35: puts the backup back that was written last, and not one of a clock that was years ahead', async () => {
  await store('Ahead');
  const ahead = (await cli('backup')).stdout.trim();
  renameSync(ahead, join(dataDir, 'backups', 'records-2029-01-01T00-00-00-000Z-asked.db'));
  await store('Two');
  const last = (await cli('backup')).stdout.trim();
  await store('Three');
  const restored = await cli('restore');
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining(`Restored ${last}.`) });
  expect(await count()).toBe(2);
});

test('keeps what a restore replaces beside such files of a clock that was years ahead', async () => {
  await store('One');
  const backup = basename((await cli('backup')).stdout.trim());
  await store('Two');
  for (const number of [2, 3, 4])
    copyFileSync(
      join(dataDir, 'records.db'),
      `${dataDir}/records.db.replaced-2029-01-01T00-00-00-000Z-000${number}`,
    );
  const { code, stdout } = await cli('restore', backup);
  const aside = /kept as (.*)\.$/m.exec(stdout)?.[1] ?? '';
  expect([code, existsSync(aside)]).toEqual([0, true]);
  expect(aside).toMatch(/Z-0005$/);
});

test('rejects a restore whose replaced file another program removes', async () => {
  await store('One');
  await cli('backup');
  const isReplaced = (name: string) => name.includes('.replaced-');
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    // It has just been put aside.
    if (!String(line).startsWith('Restored')) return true;
    for (const name of readdirSync(dataDir).filter(isReplaced)) rmSync(join(dataDir, name));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await expect(runRestore(dataDir, undefined)).rejects.toMatchObject({ fault: 'unusable' });
});

test('row 40: names what lies under a backup’s name and is no file', async () => {
  await store('One');
  await cli('backup');
  const pipe = 'records-2026-01-01T00-00-00-000Z-asked.db';
  execFileSync('mkfifo', [join(dataDir, 'backups', pipe)]);
  for (const command of ['backup', 'restore'])
    expect(await cli(command)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${pipe} is not a file`),
    });
});

test('restores a file by its path and reads no pipe that stands for its manifest', async () => {
  await store('One');
  const copy = join(dataDir, 'copy.db');
  renameSync((await cli('backup')).stdout.trim(), copy);
  execFileSync('mkfifo', [`${copy}.json`]);
  // It ends once somebody reads what it writes.
  const write = `const { writeFileSync } = require('node:fs');
    writeFileSync(process.argv[1], '{}'); writeFileSync(process.argv[2], '');`;
  const mark = join(dataDir, 'read');
  const writer = spawn(process.execPath, ['-e', write, `${copy}.json`, mark], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill('SIGKILL'));
  expect(await cli('restore', copy)).toMatchObject({ code: 0 });
  expect(existsSync(mark)).toBe(false);
});

test('a damaged file is refused with the backup that stands in for it, and restored from it', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  truncateSync(join(dataDir, 'records.db'), 5000);
  await expect(count()).rejects.toThrow(stdout.trim());
  expect(await cli('restore')).toMatchObject({ code: 0 });
  expect(await count()).toBe(1);
});

/** Changes the one plan; answers the number of its new version. */
async function change(title: string): Promise<number> {
  const { store: records, service } = await openRecords(dataDir);
  const [newest] = (await records.history('CarePlan', {}, 1)).versions;
  const text = `[{"op":"replace","path":"/title","value":"${title}"}]`;
  const request = { type: 'CarePlan', id: newest?.id ?? '', author: 'test', text } as const;
  const { version } = await service.patch(request);
  await records.close();
  return version.version;
}

test('behind a restore versions number on, far off where the file before it cannot be read', async () => {
  await store('One');
  await cli('backup');
  expect([await change('Two'), await change('Three')]).toEqual([2, 3]);
  await cli('restore');
  expect(await change('Other')).toBe(4);
  truncateSync(join(dataDir, 'records.db'), 5000);
  await cli('restore');
  expect(await change('Another')).toBe(1_000_002);
});

test.each<[string, () => Promise<string[]>, RegExp]>([
  ['no backup', () => Promise.resolve([]), /has no backups/],
  ['a file that is not there', () => Promise.resolve([join(dataDir, 'none.db')]), /doesn’t exist/],
  [
    'a file that is no database',
    () => Promise.resolve([import.meta.filename]),
    /is not a Chartkeeper database/,
  ],
])('with %s nothing is changed', async (_what, files, sentence) => {
  await store('One');
  const before = readFileSync(join(dataDir, 'records.db'));
  const { code, stderr } = await cli('restore', ...(await files()));
  expect(code).not.toBe(0);
  expect(stderr).toMatch(sentence);
  expect(readFileSync(join(dataDir, 'records.db')).equals(before)).toBe(true);
});

test('a folder that is being served is refused', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  const { store: holder } = await openRecords(dataDir);
  expect(await cli('restore')).toMatchObject({ code: 11, stdout: '' });
  expect(await cli('backup')).toMatchObject({ code: 11, stdout: '' });
  await holder.close();
  expect(existsSync(stdout.trim())).toBe(true);
});

test('backups and restores at the command line stand in the audit trail', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  await cli('restore');
  const { store: records } = await openRecords(dataDir);
  const { entries } = await records.audit.page({}, undefined, 2);
  await records.close();
  const what = basename(stdout.trim());
  expect(entries[0]).toMatchObject({ action: 'restore', what, who: 'owner', status: 0 });
});

test('a backup of the workspace takes the workspace’s place', async () => {
  await store('One');
  const path = join(dataDir, 'workspace.db');
  const workspace = await openWorkspace(path);
  const backup = backupPath(path, 'timed');
  await workspace.changePreferences({ theme: 'dark' });
  await workspace.backUp(backup);
  await workspace.changePreferences({ theme: 'light' });
  await workspace.close();
  expect(await cli('restore', backup)).toMatchObject({ code: 0 });
  const restored = await openWorkspace(path);
  expect(await restored.preferences()).toMatchObject({ theme: 'dark' });
  await restored.close();
  expect(await count()).toBe(1);
});

/** Flips one bit in the middle of a word that stands in a text. */
function flip(path: string, word: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(word);
  if (at === -1) throw new Error(`${word} is not in ${path}`);
  bytes.writeUInt8(bytes.readUInt8(at + 2) ^ 1, at + 2);
  writeFileSync(path, bytes);
}

const backUp = async () => (await cli('backup')).stdout.trim();

test('row 22: a backup that rotted is refused with a code of its own, and the next good one is named', async () => {
  await store('Sound');
  const good = basename(await backUp());
  await store('Rotting');
  const rotten = await backUp();
  flip(rotten, 'Rotting');
  const { code, stderr, stdout } = await cli('restore');
  expect([code, stdout]).toEqual([23, '']);
  expect(stderr).toMatch(/CarePlan\/[-0-9a-f]+, version 1/);
  expect(stderr).toContain(`\`chartkeeper restore ${good}\``);
  expect(await count()).toBe(2);
  expect(await cli('restore', good)).toMatchObject({ code: 0 });
  expect(await count()).toBe(1);
});

test('row 22: a backup names the records that are damaged in it, and is restored', async () => {
  await store('Damaged');
  flip(join(dataDir, 'records.db'), 'Damaged');
  const made = await cli('backup');
  expect(made).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^CarePlan\/.*, version 1 is damaged/m),
  });
  expect(await cli('restore')).toMatchObject({ code: 0, stderr: expect.stringContaining('is damaged') });
});

test('row 31: what restores replaced is kept without a log, told how to be rid of, and thinned', async () => {
  await store('One');
  const backup = basename(await backUp());
  for (let round = 0; round < 5; round += 1) {
    const { code, stdout } = await cli('restore', backup);
    expect([code, stdout]).toEqual([0, expect.stringContaining('You can delete them at any time')]);
  }
  const replaced = readdirSync(dataDir).filter((name) => name.includes('.replaced-'));
  expect(replaced.filter((name) => /Z-\d{4}$/.test(name))).toHaveLength(3);
  expect(replaced.filter((name) => !/Z-\d{4}(?:\.json)?$/.test(name))).toEqual([]);
});

test('rejects a backup that brings a trigger, names it, and leaves the records as they are', async () => {
  await store('One');
  const backup = (await cli('backup')).stdout.trim();
  closing(connect(backup), (database) => {
    database.exec(
      "CREATE TRIGGER record_by_zz_X AFTER INSERT ON version BEGIN UPDATE record SET title = 'x'; END",
    );
  });
  await store('Two');
  const { code, stderr } = await cli('restore', basename(backup));
  expect([code, stderr]).toEqual([18, expect.stringContaining('trigger record_by_zz_X')]);
  expect(await count()).toBe(2);
});

test('a file whose log was not carried over is restored with all that is in it', async () => {
  await store('One');
  await backUp();
  const { store: records, service } = await openRecords(dataDir);
  const crashed = join(dataDir, 'crashed.db');
  await service.create({ type: 'CarePlan', author: 'test', text: carePlan('Patient/p') });
  for (const end of ['', '-wal'])
    writeFileSync(crashed + end, readFileSync(join(dataDir, `records.db${end}`)));
  await records.close();
  await cli('restore');
  expect(await count()).toBe(1);
  expect(await cli('restore', crashed)).toMatchObject({ code: 0 });
  expect(await count()).toBe(2);
});

test('row 22: without its records a folder that has backups is no new clinic to any command', async () => {
  await store('One');
  const backup = await backUp();
  rmSync(join(dataDir, 'records.db'));
  for (const command of [['backup'], ['serve', '--port', '0']]) {
    const { code, stderr } = await cli(...command);
    expect([code, stderr]).toEqual([22, expect.stringContaining(backup)]);
    expect(stderr).toContain('--start-empty');
  }
  expect(existsSync(join(dataDir, 'records.db'))).toBe(false);
  expect(await cli('restore', basename(backup))).toMatchObject({ code: 0 });
  expect(await change('Two')).toBe(1_000_002);
});

test('row 22: a backup of the command line goes to the second place too', async () => {
  await store('One');
  const disk = join(dataDir, '..', `${basename(dataDir)}-disk`);
  mkdirSync(disk);
  const { stdout } = await cli('backup', '--second-backups', disk);
  const next = await cli('backup');
  const copied = readdirSync(disk).filter((name) => name.endsWith('.db'));
  rmSync(disk, { recursive: true });
  expect(copied).toEqual([stdout, next.stdout].map((path) => basename(path.trim())));
  expect(await cli('backup')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Can’t reach'),
  });
});
