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
import { backupPath } from '../sqlite/backup-folder.ts';
import { closing, connect } from '../sqlite/sqlite.ts';
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

/** Stores a plan with this title. Returns the new number of plans. */
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

test('restores a backup and keeps the replaced file', async () => {
  await store('One');
  const { code, stdout } = await cli('backup');
  expect([code, existsSync(stdout.trim())]).toEqual([0, true]);
  expect(await store('Two')).toBe(2);
  const restoration = await cli('restore');
  expect(restoration).toMatchObject({ code: 0, stdout: expect.stringContaining(stdout.trim()) });
  expect(await count()).toBe(1);

  const replacedPath = /kept as (.*)\.$/m.exec(restoration.stdout)?.[1] ?? '';
  expect(await cli('restore', replacedPath)).toMatchObject({ code: 0 });
  expect(await count()).toBe(2);
});

// Row 35 of docs/api-rows.md.
test('restores the backup written last, despite a later date in another name', async () => {
  await store('Ahead');
  const futureBackup = (await cli('backup')).stdout.trim();
  renameSync(futureBackup, join(dataDir, 'backups', 'records-2029-01-01T00-00-00-000Z-asked.db'));
  await store('Two');
  const latestBackup = (await cli('backup')).stdout.trim();
  await store('Three');
  const restoration = await cli('restore');
  expect(restoration).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Restored ${latestBackup}.`),
  });
  expect(await count()).toBe(2);
});

test('keeps the replaced file although older ones have later dates', async () => {
  await store('One');
  const backup = basename((await cli('backup')).stdout.trim());
  await store('Two');
  for (const number of [2, 3, 4])
    copyFileSync(
      join(dataDir, 'records.db'),
      `${dataDir}/records.db.replaced-2029-01-01T00-00-00-000Z-000${number}`,
    );
  const { code, stdout } = await cli('restore', backup);
  const replacedPath = /kept as (.*)\.$/m.exec(stdout)?.[1] ?? '';
  expect([code, existsSync(replacedPath)]).toEqual([0, true]);
  expect(replacedPath).toMatch(/Z-0005$/);
});

test('rejects a restore whose replaced file another program removes', async () => {
  await store('One');
  await cli('backup');
  const isReplaced = (name: string) => name.includes('.replaced-');
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    // At this line the replaced file has just been moved.
    if (!String(line).startsWith('Restored')) return true;
    for (const name of readdirSync(dataDir).filter(isReplaced)) rmSync(join(dataDir, name));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await expect(runRestore(dataDir, undefined)).rejects.toMatchObject({ errorCode: 'unusable' });
});

// Row 40 of docs/api-rows.md.
test('reports an entry with the name of a backup that is not a file', async () => {
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

test('restores a file by its path and does not read a pipe in place of its manifest', async () => {
  await store('One');
  const copy = join(dataDir, 'copy.db');
  renameSync((await cli('backup')).stdout.trim(), copy);
  execFileSync('mkfifo', [`${copy}.json`]);
  // Ends when a program reads the pipe.
  const write = `const { writeFileSync } = require('node:fs');
    writeFileSync(process.argv[1], '{}'); writeFileSync(process.argv[2], '');`;
  const markerPath = join(dataDir, 'read');
  const writer = spawn(process.execPath, ['-e', write, `${copy}.json`, markerPath], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill('SIGKILL'));
  expect(await cli('restore', copy)).toMatchObject({ code: 0 });
  expect(existsSync(markerPath)).toBe(false);
});

test('rejects a damaged file, names its backup and restores from the backup', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  truncateSync(join(dataDir, 'records.db'), 5000);
  await expect(count()).rejects.toThrow(stdout.trim());
  expect(await cli('restore')).toMatchObject({ code: 0 });
  expect(await count()).toBe(1);
});

/** Changes the only plan. Returns the number of the new version. */
async function change(title: string): Promise<number> {
  const { store: records, service } = await openRecords(dataDir);
  const [latestVersion] = (await records.history('CarePlan', {}, 1)).versions;
  const text = `[{"op":"replace","path":"/title","value":"${title}"}]`;
  const request = { type: 'CarePlan', id: latestVersion?.id ?? '', author: 'test', text } as const;
  const { version } = await service.patch(request);
  await records.close();
  return version.version;
}

test('continues version numbers after a restore, with a gap after an unreadable file', async () => {
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
  ['a missing file', () => Promise.resolve([join(dataDir, 'none.db')]), /doesn’t exist/],
  [
    'a file other than a database',
    () => Promise.resolve([import.meta.filename]),
    /is not a Chartkeeper database/,
  ],
])('changes nothing with %s', async (_name, files, sentence) => {
  await store('One');
  const originalBytes = readFileSync(join(dataDir, 'records.db'));
  const { code, stderr } = await cli('restore', ...(await files()));
  expect(code).not.toBe(0);
  expect(stderr).toMatch(sentence);
  expect(readFileSync(join(dataDir, 'records.db')).equals(originalBytes)).toBe(true);
});

test('rejects a folder that a server uses', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  const { store: holder } = await openRecords(dataDir);
  expect(await cli('restore')).toMatchObject({ code: 11, stdout: '' });
  expect(await cli('backup')).toMatchObject({ code: 11, stdout: '' });
  await holder.close();
  expect(existsSync(stdout.trim())).toBe(true);
});

test('audits backups and restores of the command line', async () => {
  await store('One');
  const { stdout } = await cli('backup');
  await cli('restore');
  const { store: records } = await openRecords(dataDir);
  const { entries } = await records.audit.page({}, undefined, 2);
  await records.close();
  const backupName = basename(stdout.trim());
  expect(entries[0]).toMatchObject({ action: 'restore', what: backupName, who: 'owner', status: 0 });
});

test('restores a backup of the workspace', async () => {
  await store('One');
  const path = join(dataDir, 'workspace.db');
  const workspace = await openWorkspace(path);
  const backup = backupPath(path, 'timed');
  await workspace.changePreferences({ theme: 'dark' });
  await workspace.backUp(backup);
  await workspace.changePreferences({ theme: 'light' });
  await workspace.close();
  expect(await cli('restore', backup)).toMatchObject({ code: 0 });
  const restoredWorkspace = await openWorkspace(path);
  expect(await restoredWorkspace.preferences()).toMatchObject({ theme: 'dark' });
  await restoredWorkspace.close();
  expect(await count()).toBe(1);
});

/** Flips one bit of a word in a file. */
function flip(path: string, word: string): void {
  const bytes = readFileSync(path);
  const offset = bytes.indexOf(word);
  if (offset === -1) throw new Error(`${word} is not in ${path}`);
  bytes.writeUInt8(bytes.readUInt8(offset + 2) ^ 1, offset + 2);
  writeFileSync(path, bytes);
}

const backUp = async () => (await cli('backup')).stdout.trim();

// Row 22 of docs/api-rows.md.
test('rejects a damaged backup with its own exit code and names the next intact one', async () => {
  await store('Sound');
  const intactBackup = basename(await backUp());
  await store('Rotting');
  const damagedBackup = await backUp();
  flip(damagedBackup, 'Rotting');
  const { code, stderr, stdout } = await cli('restore');
  expect([code, stdout]).toEqual([23, '']);
  expect(stderr).toMatch(/CarePlan\/[-0-9a-f]+, version 1/);
  expect(stderr).toContain(`\`chartkeeper restore ${intactBackup}\``);
  expect(await count()).toBe(2);
  expect(await cli('restore', intactBackup)).toMatchObject({ code: 0 });
  expect(await count()).toBe(1);
});

// Row 22 of docs/api-rows.md.
test('names the damaged records in a backup and still restores it', async () => {
  await store('Damaged');
  flip(join(dataDir, 'records.db'), 'Damaged');
  const backupResult = await cli('backup');
  expect(backupResult).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^CarePlan\/.*, version 1 is damaged/m),
  });
  expect(await cli('restore')).toMatchObject({ code: 0, stderr: expect.stringContaining('is damaged') });
});

// Row 31 of docs/api-rows.md.
test('keeps the latest replaced files without a WAL and says that they can be deleted', async () => {
  await store('One');
  const backup = basename(await backUp());
  for (let round = 0; round < 5; round += 1) {
    const { code, stdout } = await cli('restore', backup);
    expect([code, stdout]).toEqual([0, expect.stringContaining('You can delete them at any time')]);
  }
  const replacedFiles = readdirSync(dataDir).filter((name) => name.includes('.replaced-'));
  expect(replacedFiles.filter((name) => /Z-\d{4}$/.test(name))).toHaveLength(3);
  expect(replacedFiles.filter((name) => !/Z-\d{4}(?:\.json)?$/.test(name))).toEqual([]);
});

test('rejects a backup with a trigger, names it and changes no record', async () => {
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

test('restores a file including the contents of its WAL', async () => {
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

// Row 22 of docs/api-rows.md.
test('does not start an empty clinic if the records are missing but backups exist', async () => {
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

// Row 22 of docs/api-rows.md.
test('copies backups of the command line to the secondary folder', async () => {
  await store('One');
  const disk = join(dataDir, '..', `${basename(dataDir)}-disk`);
  mkdirSync(disk);
  const { stdout } = await cli('backup', '--second-backups', disk);
  const secondBackup = await cli('backup');
  const copiedNames = readdirSync(disk).filter((name) => name.endsWith('.db'));
  rmSync(disk, { recursive: true });
  expect(copiedNames).toEqual([stdout, secondBackup.stdout].map((path) => basename(path.trim())));
  expect(await cli('backup')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Can’t reach'),
  });
});
