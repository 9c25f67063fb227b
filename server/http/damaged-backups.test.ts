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
import { is } from '../../core/json/shape.ts';
import { newToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer, type StartOptions } from '../start.ts';
import { backupsOf } from '../store/sqlite/backup-folder.ts';
import { carePlan, sendTo } from '../testing/test-server.ts';

const token = newToken();
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

/** Creates a plan; answers its id. */
async function store(title: string): Promise<string> {
  const { json } = await send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p', `,"title":"${title}"`));
  return String(json.id);
}

async function backUp(): Promise<Backup> {
  const { status, json } = await send('POST', '/app/backups');
  if (status !== 201 || !is(Backup, json)) throw new Error(`No backup: ${JSON.stringify(json)}`);
  return json;
}

async function list(): Promise<BackupList> {
  const { json } = await send('GET', '/app/backups');
  if (!is(BackupList, json)) throw new TypeError('This is no list of backups.');
  return json;
}

const restore = (name: string) => send('POST', `/app/backups/${encodeURIComponent(name)}/restore`);
const pathOf = (name: string) => join(backupsOf(join(dataDir, 'records.db')), name);

/** Flips one bit in the middle of a word that stands in a text. */
function flip(path: string, word: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(word);
  if (at === -1) throw new Error(`${word} is not in ${path}`);
  bytes.writeUInt8(bytes.readUInt8(at + 2) ^ 1, at + 2);
  writeFileSync(path, bytes);
}

/** Flips a bit in a text of the store itself, behind the server's back. */
async function damageStore(word: string): Promise<void> {
  await server.close();
  flip(join(dataDir, 'records.db'), word);
  await start();
}

test('row 22: a backup that rotted is refused, and the next good one is offered by name', async () => {
  await store('Sound plan');
  const good = await backUp();
  const id = await store('Rotting plan');
  const rotten = await backUp();
  expect(rotten.compared).toEqual({ texts: 2, damaged: [] });
  flip(pathOf(rotten.name), 'Rotting');

  const { status, json } = await restore(rotten.name);
  expect(status).toBe(409);
  expect(json.issue[0].details.text).toContain(`CarePlan/${id}, version 1`);
  expect(json.issue[0].details.text).toContain(`The next good one is ${good.name}.`);
  expect((await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).status).toBe(200);
  expect((await restore(good.name)).status).toBe(200);
});

test('row 22: a store with a damaged record is backed up, the backup names it, and is restored', async () => {
  const damaged = await store('Damaged plan');
  await store('Other plan');
  await damageStore('Damaged');
  const one = await backUp();
  const named = { texts: 2, damaged: [{ type: 'CarePlan', id: damaged, version: 1 }] };
  expect(one.compared).toEqual(named);
  expect((await list()).backups[0]?.compared).toEqual(named);

  const { status, json } = await restore(one.name);
  expect([status, json.restored.compared]).toEqual([200, named]);
  // What it replaced was damaged too, and says so: it can be put back.
  expect(json.before.compared).toEqual(named);
  expect((await restore(json.before.name)).status).toBe(200);
});

test('row 22: the newest backup that holds a damaged record whole is never thinned', async () => {
  await store('Damaged plan');
  const whole = await backUp();
  await damageStore('Damaged');
  for (let count = 0; count < 12; count += 1) await backUp();
  const names = (await list()).backups.map(({ name }) => name);
  expect(names).toHaveLength(11);
  expect(names.at(-1)).toBe(whole.name);
});

test('row 35: what a session shorter than a quarter of an hour wrote is backed up at its end or the next start', async () => {
  await store('Of a short session');
  await server.close();
  await start();
  await expect
    .poll(async () => (await list()).backups, { timeout: 60_000 })
    .toMatchObject([{ kind: 'timed', compared: { texts: 1, damaged: [] } }]);
});

test('row 35: where the first folder was emptied, a new backup is numbered behind those of the second place', async () => {
  const place = join(folder, 'numbered');
  mkdirSync(place);
  expect((await send('PUT', '/app/backups/second-place', JSON.stringify({ folder: place }))).status).toBe(
    200,
  );
  await store('One');
  for (let count = 0; count < 2; count += 1) await backUp();
  await expect.poll(async () => (await list()).secondPlace?.lacking, { timeout: 60_000 }).toBe(0);
  rmSync(backupsOf(join(dataDir, 'records.db')), { recursive: true });
  const { name } = await backUp();
  expect(name).toMatch(/Z-0003-asked\.db$/);
  expect((await list()).backups.map((one) => one.name)[0]).toBe(name);
});

test('a backup that is not good names the next good one', async () => {
  await store('One');
  const good = await backUp();
  const bad = await backUp();
  writeFileSync(pathOf(bad.name), readFileSync(pathOf(bad.name)).subarray(0, 5000));
  const { status, json } = await restore(bad.name);
  expect([status, json.issue[0].details.text]).toEqual([
    422,
    expect.stringContaining(`The next good one is ${good.name}.`),
  ]);
});

test('what a thinned backup said of itself goes with it', async () => {
  await store('One');
  for (let count = 0; count < 12; count += 1) await backUp();
  expect(readdirSync(backupsOf(join(dataDir, 'records.db')))).toHaveLength(20);
});

const second = () => join(folder, 'disk');
const setPlace = (place: string | null) =>
  send('PUT', '/app/backups/second-place', JSON.stringify({ folder: place }));
const inPlace = () =>
  readdirSync(second()).filter((name) => name.startsWith('records-') && name.endsWith('.db'));

/** What the second place is told to be, once it is so: no answer waits long for it. */
const expectPlace = (place: object) =>
  expect.poll(async () => (await list()).secondPlace).toMatchObject({ folder: second(), ...place });
const caughtUp = () => expectPlace({ state: 'good', lacking: 0, problem: null });

test('row 22: each backup is copied to a second place, which is told when it is away, and caught up when it is back', async () => {
  mkdirSync(second());
  await store('One');
  const before = await backUp();
  expect((await setPlace(second())).json).toMatchObject({ secondPlace: { folder: second() } });
  await caughtUp();
  const made = await backUp();
  await caughtUp();
  expect((await list()).backups[0]).toMatchObject({ name: made.name, place: 'first', copied: true });
  expect(inPlace()).toEqual([before.name, made.name]);
  expect(readFileSync(join(second(), made.name)).equals(readFileSync(pathOf(made.name)))).toBe(true);

  renameSync(second(), join(folder, 'pulled'));
  const alone = await backUp();
  expect(alone.copied).toBe(false);
  await expectPlace({ state: 'away', lacking: 3 });
  expect(lines).toEqual([expect.stringContaining('cannot be reached')]);
  // An empty folder where the disk is missing is not the disk.
  mkdirSync(second());
  await expectPlace({ state: 'away' });
  rmSync(second(), { recursive: true });

  renameSync(join(folder, 'pulled'), second());
  await caughtUp();
  expect(inPlace()).toEqual([before.name, made.name, alone.name]);
});

test('row 22: what the second place alone holds is listed and restored, and stands in for a copy that rotted', async () => {
  mkdirSync(second());
  await setPlace(second());
  const id = await store('Only plan');
  const one = await backUp();
  await caughtUp();
  flip(pathOf(one.name), 'Only');
  expect((await restore(one.name)).json).toMatchObject({ restored: { name: one.name, place: 'second' } });
  expect((await send('GET', `/fhir-r4/v1/CarePlan/${id}`)).status).toBe(200);
  rmSync(pathOf(one.name));
  expect((await list()).backups.at(-1)).toMatchObject({ name: one.name, place: 'second', copied: true });
  expect((await restore(one.name)).status).toBe(200);
});

test('a second place is thinned as the first is', async () => {
  mkdirSync(second());
  await setPlace(second());
  await store('One');
  for (let count = 0; count < 12; count += 1) await backUp();
  await caughtUp();
  expect(inPlace()).toHaveLength(10);
  expect(readdirSync(second()).filter((name) => name.endsWith('.json'))).toHaveLength(11);
});

test.each([
  ['backups', 'no full path'],
  ['/nowhere/at/all', 'is not there'],
])('%s cannot be a second place', async (place, sentence) => {
  const { status, json } = await setPlace(place);
  expect([status, json.issue[0].details.text]).toEqual([422, expect.stringContaining(sentence)]);
  expect((await list()).secondPlace).toBeNull();
});

test('a second place is no folder of the data folder, nor that of another data folder', async () => {
  mkdirSync(second());
  expect((await setPlace(join(dataDir, 'backups'))).status).toBe(422);
  await setPlace(second());
  await server.close();
  dataDir = join(folder, 'other');
  await start();
  expect((await setPlace(second())).json.issue[0].details.text).toContain('another data folder');
  expect((await setPlace(null)).json.secondPlace).toBeNull();
});

test('a start takes the folder that it is given as the second place', async () => {
  mkdirSync(second());
  await server.close();
  await start({ secondBackups: second() });
  expect((await list()).secondPlace).toMatchObject({ folder: second() });
  await server.close();
  await expect(start({ secondBackups: join(folder, 'none') })).rejects.toThrow('is not there');
  await start();
  expect((await list()).secondPlace).toMatchObject({ folder: second() });
});

test('row 22: records that are missing beside their backups are no new clinic', async () => {
  await store('One');
  const { name } = await backUp();
  await server.close();
  rmSync(join(dataDir, 'records.db'));
  await expect(start()).rejects.toMatchObject({ fault: 'missing', exitCode: 22 });
  await expect(start()).rejects.toThrow(name);
  expect(readdirSync(dataDir)).not.toContain('records.db');
  await start({ startEmpty: true });
  // What was kept of the trail that is gone is no loss: somebody chose to begin anew.
  expect((await send('GET', '/app/losses')).json.losses).toEqual([]);
  expect((await send('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p')).json.total).toBe(0);
  expect((await restore(name)).status).toBe(200);
});
