import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Backup, BackupList } from '../../core/app/backups.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer, type StartOptions } from '../start.ts';
import { backupsOf } from '../sqlite/backup-folder.ts';
import { closing, connect } from '../sqlite/sqlite.ts';
import { carePlan, sendTo } from '../testing/test-server.ts';

const token = createToken();
let folder: string;
let dataDir: string;
let server: RunningServer;
let lines: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-damaged-'));
  dataDir = join(folder, 'data');
  lines = [];
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<StartOptions> = {}): Promise<void> {
  const log = (line: string) => void lines.push(line);
  server = await startServer({ dataDir, port: 0, token, pageFolder, log, ...options });
}

const send = (method: string, path: string, body?: string) =>
  sendTo(server.origin, `Bearer ${token}`, method, path, body);

/** Creates a plan. Returns its id. */
async function storePlan(title: string): Promise<string> {
  const { json } = await send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"title":"${title}"`));
  return String(json.id);
}

async function backUp(): Promise<Backup> {
  const { status, json } = await send('POST', '/app/backups');
  if (status !== 201 || !matchesSchema(Backup, json)) throw new Error(`No backup: ${JSON.stringify(json)}`);
  return json;
}

async function listBackups(): Promise<BackupList> {
  const { json } = await send('GET', '/app/backups');
  if (!matchesSchema(BackupList, json)) throw new TypeError('This is no list of backups.');
  return json;
}

const restore = (name: string) => send('POST', `/app/backups/${encodeURIComponent(name)}/restore`);
const backupPath = (name: string) => join(backupsOf(join(dataDir, 'records.db')), name);

/** Flips one bit in the middle of a word of a text. */
function flip(path: string, word: string): void {
  const bytes = readFileSync(path);
  const offset = bytes.indexOf(word);
  if (offset === -1) throw new Error(`${word} is not in ${path}`);
  bytes.writeUInt8(bytes.readUInt8(offset + 2) ^ 1, offset + 2);
  writeFileSync(path, bytes);
}

/** Flips a bit in a text of the running store. */
async function damageStore(word: string): Promise<void> {
  await server.close();
  flip(join(dataDir, 'records.db'), word);
  await start();
}

test('rejects a damaged backup and names the next intact one', async () => {
  await storePlan('Sound plan');
  const good = await backUp();
  const id = await storePlan('Rotting plan');
  const rotten = await backUp();
  expect(rotten.compared).toEqual({ texts: 2, damaged: [] });
  flip(backupPath(rotten.name), 'Rotting');

  const { status, json } = await restore(rotten.name);
  expect(status).toBe(409);
  expect(json.issue[0].details.text).toContain(`CarePlan/${id}, version 1`);
  expect(json.issue[0].details.text).toContain(`Use ${good.name} instead.`);
  expect((await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).status).toBe(200);
  expect((await restore(good.name)).status).toBe(200);
});

test('backs up a store with a damaged record, names it and restores it', async () => {
  const damagedId = await storePlan('Damaged plan');
  await storePlan('Other plan');
  await damageStore('Damaged');
  const backup = await backUp();
  const damageReport = { texts: 2, damaged: [{ type: 'CarePlan', id: damagedId, version: 1 }] };
  expect(backup.compared).toEqual(damageReport);
  expect((await listBackups()).backups[0]?.compared).toEqual(damageReport);

  const { status, json } = await restore(backup.name);
  expect([status, json.restored.compared]).toEqual([200, damageReport]);
  // The replaced records were damaged too. Their backup says so and can be restored.
  expect(json.before.compared).toEqual(damageReport);
  expect((await restore(json.before.name)).status).toBe(200);
});

test('never prunes the latest backup with an intact copy of a damaged record', async () => {
  await storePlan('Damaged plan');
  const intactBackup = await backUp();
  await damageStore('Damaged');
  for (let count = 0; count < 12; count += 1) await backUp();
  const names = (await listBackups()).backups.map(({ name }) => name);
  expect(names).toHaveLength(11);
  expect(names.at(-1)).toBe(intactBackup.name);
});

test('backs up a short session at its end or at the next start', async () => {
  await storePlan('Of a short session');
  await server.close();
  await start();
  await expect
    .poll(async () => (await listBackups()).backups, { timeout: 60_000 })
    .toMatchObject([{ kind: 'timed', compared: { texts: 1, damaged: [] } }]);
});

test('numbers a new backup after those of the secondary folder', async () => {
  const secondaryFolder = join(folder, 'numbered');
  mkdirSync(secondaryFolder);
  expect(
    (await send('PUT', '/app/backups/second-place', JSON.stringify({ folder: secondaryFolder }))).status,
  ).toBe(200);
  await storePlan('One');
  for (let count = 0; count < 2; count += 1) await backUp();
  await expect.poll(async () => (await listBackups()).secondPlace?.lacking, { timeout: 60_000 }).toBe(0);
  rmSync(backupsOf(join(dataDir, 'records.db')), { recursive: true });
  const { name } = await backUp();
  expect(name).toMatch(/Z-0003-asked\.db$/);
  expect((await listBackups()).backups.map((backup) => backup.name)[0]).toBe(name);
});

test('names the next valid backup if a backup is invalid', async () => {
  await storePlan('One');
  const good = await backUp();
  const bad = await backUp();
  writeFileSync(backupPath(bad.name), readFileSync(backupPath(bad.name)).subarray(0, 5000));
  const { status, json } = await restore(bad.name);
  expect([status, json.issue[0].details.text]).toEqual([
    422,
    expect.stringContaining(`Use ${good.name} instead.`),
  ]);
});

test('skips a backup with a trigger when it names the next valid one', async () => {
  await storePlan('One');
  const good = await backUp();
  const foreign = await backUp();
  closing(connect(backupPath(foreign.name)), (database) => {
    database.exec(
      "CREATE TRIGGER record_by_zz_X AFTER INSERT ON version BEGIN UPDATE record SET title = 'x'; END",
    );
  });
  const bad = await backUp();
  writeFileSync(backupPath(bad.name), readFileSync(backupPath(bad.name)).subarray(0, 5000));
  const { status, json } = await restore(bad.name);
  expect([status, json.issue[0].details.text]).toEqual([422, expect.stringContaining(good.name)]);
  expect(json.issue[0].details.text).not.toContain(foreign.name);
});

test('removes the description of a pruned backup', async () => {
  await storePlan('One');
  for (let count = 0; count < 12; count += 1) await backUp();
  expect(readdirSync(backupsOf(join(dataDir, 'records.db')))).toHaveLength(20);
});

const secondFolder = () => join(folder, 'disk');
const setPlace = (place: string | null) =>
  send('PUT', '/app/backups/second-place', JSON.stringify({ folder: place }));
const listSecondary = () =>
  readdirSync(secondFolder()).filter((name) => name.startsWith('records-') && name.endsWith('.db'));

/** Waits for the state of the secondary folder, because responses do not wait for copies. */
const expectSecondary = (place: object) =>
  expect
    .poll(async () => (await listBackups()).secondPlace)
    .toMatchObject({ folder: secondFolder(), ...place });
const expectCaughtUp = () => expectSecondary({ state: 'good', lacking: 0, problem: null });

test('copies backups to a secondary folder and catches up after an outage', async () => {
  mkdirSync(secondFolder());
  await storePlan('One');
  const before = await backUp();
  expect((await setPlace(secondFolder())).json).toMatchObject({ secondPlace: { folder: secondFolder() } });
  await expectCaughtUp();
  const firstBackup = await backUp();
  await expectCaughtUp();
  expect((await listBackups()).backups[0]).toMatchObject({
    name: firstBackup.name,
    place: 'first',
    copied: true,
  });
  expect(listSecondary()).toEqual([before.name, firstBackup.name]);
  expect(
    readFileSync(join(secondFolder(), firstBackup.name)).equals(readFileSync(backupPath(firstBackup.name))),
  ).toBe(true);

  renameSync(secondFolder(), join(folder, 'pulled'));
  const uncopiedBackup = await backUp();
  expect(uncopiedBackup.copied).toBe(false);
  await expectSecondary({ state: 'away', lacking: 3 });
  expect(lines).toEqual([expect.stringContaining('Can’t reach')]);
  // An empty folder in place of the missing disk is not the secondary folder.
  mkdirSync(secondFolder());
  await expectSecondary({ state: 'away' });
  rmSync(secondFolder(), { recursive: true });

  renameSync(join(folder, 'pulled'), secondFolder());
  await expectCaughtUp();
  expect(listSecondary()).toEqual([before.name, firstBackup.name, uncopiedBackup.name]);
});

test('restores a backup that exists only in the secondary folder', async () => {
  mkdirSync(secondFolder());
  await setPlace(secondFolder());
  const id = await storePlan('Only plan');
  const backup = await backUp();
  await expectCaughtUp();
  flip(backupPath(backup.name), 'Only');
  expect((await restore(backup.name)).json).toMatchObject({
    restored: { name: backup.name, place: 'second' },
  });
  expect((await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).status).toBe(200);
  rmSync(backupPath(backup.name));
  expect((await listBackups()).backups.at(-1)).toMatchObject({
    name: backup.name,
    place: 'second',
    copied: true,
  });
  expect((await restore(backup.name)).status).toBe(200);
});

test('prunes the secondary folder like the primary folder', async () => {
  mkdirSync(secondFolder());
  await setPlace(secondFolder());
  await storePlan('One');
  for (let count = 0; count < 12; count += 1) await backUp();
  await expectCaughtUp();
  expect(listSecondary()).toHaveLength(10);
  expect(readdirSync(secondFolder()).filter((name) => name.endsWith('.json'))).toHaveLength(11);
});

test.each([
  ['backups', 'must be a full path'],
  ['/nowhere/at/all', 'doesn’t exist'],
])('%s cannot be a second place', async (place, sentence) => {
  const { status, json } = await setPlace(place);
  expect([status, json.issue[0].details.text]).toEqual([422, expect.stringContaining(sentence)]);
  expect((await listBackups()).secondPlace).toBeNull();
});

test('rejects a secondary folder inside a data folder', async () => {
  mkdirSync(secondFolder());
  expect((await setPlace(join(dataDir, 'backups'))).status).toBe(422);
  await setPlace(secondFolder());
  await server.close();
  dataDir = join(folder, 'other');
  await start();
  expect((await setPlace(secondFolder())).json.issue[0].details.text).toContain('another data folder');
  expect((await setPlace(null)).json.secondPlace).toBeNull();
});

test('uses the secondary folder given at the start', async () => {
  mkdirSync(secondFolder());
  await server.close();
  await start({ secondBackups: secondFolder() });
  expect((await listBackups()).secondPlace).toMatchObject({ folder: secondFolder() });
  await server.close();
  await expect(start({ secondBackups: join(folder, 'none') })).rejects.toThrow('doesn’t exist');
  await start();
  expect((await listBackups()).secondPlace).toMatchObject({ folder: secondFolder() });
});

test('refuses to start if backups exist but records are missing', async () => {
  await storePlan('One');
  const { name } = await backUp();
  await server.close();
  rmSync(join(dataDir, 'records.db'));
  await expect(start()).rejects.toMatchObject({ errorCode: 'missing', exitCode: 22 });
  await expect(start()).rejects.toThrow(name);
  expect(readdirSync(dataDir)).not.toContain('records.db');
  await start({ startEmpty: true });
  // Anchors of the removed audit log are no loss, because starting empty was a choice.
  expect((await send('GET', '/app/losses')).json.losses).toEqual([]);
  expect((await send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total).toBe(0);
  expect((await restore(name)).status).toBe(200);
});
