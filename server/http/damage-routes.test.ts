import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamageList } from '../../core/app/damage.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { damageBodies } from '../testing/damage.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan, onSharedStore, type Json } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';
const start = Date.parse('2026-11-22T09:00:00Z');
const day = 24 * 60 * 60 * 1000;

let folder: KeptFolder;
let id: string;
let otherId: string;

beforeEach(async () => {
  folder = await KeptFolder.make(start);
  await folder.start();
  id = await create('One');
  otherId = await create('Other');
});
afterEach(() => folder.remove());

async function create(title: string): Promise<string> {
  return (await folder.send('POST', type, carePlan('Patient/p', `,"title":"${title}"`))).json.id;
}

function update(title: string): Promise<Json> {
  return folder.send('PUT', `${type}/${id}`, carePlan('Patient/p', `,"title":"${title}"`));
}

async function backUp(): Promise<string> {
  // Names contain the time, and this clock does not advance.
  folder.now += 1000;
  return (await folder.send('POST', '/app/backups', '{}')).json.name;
}

/** Damages versions of a record and restarts the server. */
async function damage(recordId = id, versions = 1): Promise<void> {
  await folder.stop();
  if (onSharedStore)
    await folder.tamper(`UPDATE version SET body = 'X' || substr(body, 2) WHERE id = '${recordId}'`);
  else
    expect(damageBodies(folder.records, { count: versions, seed: 7, id: recordId })).toHaveLength(versions);
  await folder.start();
}

async function readDamageList(): Promise<Json> {
  const { status, json } = await folder.send('GET', '/app/damage');
  expect([status, matchesSchema(DamageList, json)]).toEqual([200, true]);
  return json;
}

const readDamageState = async () => (await folder.send('GET', '/app/overview')).json.damage;
const repair = (backup: unknown, recordId = id) =>
  folder.send('POST', `/app/damage/CarePlan/${recordId}/mend`, JSON.stringify({ backup }));

// Row 89 of docs/api-rows.md.
test('lists damage found by a request with its intact backups, across a restart', async () => {
  const backUpHere = async (version: number) => (onSharedStore ? [] : [{ name: await backUp(), version }]);
  const firstBackups = await backUpHere(1);
  await update('Two');
  const secondBackups = await backUpHere(2);
  await damage(id, 2);
  expect((await readDamageList()).records).toEqual([]);
  expect((await folder.send('GET', `${type}/${id}`)).status).toBe(500);
  await folder.stop();
  await folder.start();
  const { records } = await readDamageList();
  expect(records).toMatchObject([
    {
      type: 'CarePlan',
      id,
      version: 2,
      current: true,
      noticed: expect.stringMatching(/^2026-11-22T09/),
      backups: [...secondBackups, ...firstBackups],
    },
  ]);
  expect(await readDamageState()).toMatchObject({ records: 1 });
  expect(folder.lines.filter((line) => line.includes(id))).toEqual([]);
});

// Row 89 of docs/api-rows.md.
test.skipIf(onSharedStore)(
  'repairs with a backup’s text as a new version and keeps the history',
  async () => {
    await update('Two');
    const backup = await backUp();
    await damage(id, 2);
    await folder.send('GET', `${type}/${id}/_history`);
    const repairResponse = await repair(backup);
    expect([repairResponse.status, repairResponse.json]).toMatchObject([
      200,
      { id, title: 'Two', meta: { versionId: '3' } },
    ]);
    expect((await folder.send('GET', `${type}/${id}`)).text).toBe(repairResponse.text);
    expect((await folder.send('GET', `${type}?subject=Patient/p`)).json.entry).toMatchObject([
      { resource: { id }, search: { mode: 'match' } },
      { resource: { id: otherId } },
    ]);
    expect((await readDamageList()).records).toEqual([]);
    for (const version of [1, 2]) {
      const past = await folder.send('GET', `${type}/${id}/_history/${version}`);
      expect([past.status, past.json.title]).toEqual([200, ['One', 'Two'][version - 1]]);
    }
    expect(await readDamageState()).toMatchObject({ records: 0 });
    const { entries } = (await folder.send('GET', '/app/audit')).json;
    expect(entries.filter(({ what: target }: Json) => target === `${type}/${id}`)).toContainEqual(
      expect.objectContaining({ action: 'update', before: 2, after: 3, status: 200 }),
    );
  },
);

// Row 89 of docs/api-rows.md.
test.skipIf(onSharedStore)('repairs despite earlier findings but rejects new errors', async () => {
  const dirty = (members: object) =>
    JSON.stringify({ ...JSON.parse(carePlan('Patient/p')), id: 'dirty', status: 'actve', ...members });
  await folder.send('POST', '/app/import?keepIds=true&level=off', dirty({}), {
    'Content-Type': 'application/x-ndjson',
  });
  const backup = await backUp();
  for (const attemptRepair of [
    () => repair(backup, 'dirty'),
    () => folder.send('PUT', `${type}/dirty`, dirty({})),
  ]) {
    const { version } = (await folder.send('GET', `/app/history/CarePlan/dirty`)).json.versions[0];
    await damage('dirty', version);
    expect((await folder.send('PUT', `${type}/dirty`, dirty({ intent: 'paln' }))).status).toBe(400);
    const { status, json } = await attemptRepair();
    expect([status, json.status, json.meta.versionId]).toEqual([200, 'actve', String(Number(version) + 1)]);
  }
  const counts = await folder.send('POST', '/app/issue-counts', '{"type":"CarePlan","ids":["dirty"]}');
  expect(counts.json).toMatchObject({ dirty: [1, expect.any(Number)] });
});

// Row 89 of docs/api-rows.md.
test.skipIf(onSharedStore)('rejects repairs without damage or without a usable backup', async () => {
  const before = await backUp();
  const late = await create('Late');
  await damage(late);
  expect((await repair(before, late)).json.issue[0].details.text).toMatch(/no intact copy of the CarePlan/);
  expect((await repair('records-none.db', late)).status).toBe(404);
  expect((await repair(before, 'none')).status).toBe(404);
  expect((await repair(before)).json.issue[0].details.text).toMatch(/can’t repair anything in this CarePlan/);
  expect((await repair(17, late)).status).toBe(400);
  expect((await folder.send('GET', `${type}/${late}`)).status).toBe(500);
});

test('scrubs all texts daily or on request and reports damage', async () => {
  await damage(otherId);
  expect(await readDamageList()).toEqual({
    scrub: { ended: null, read: 0, found: 0, running: null },
    records: [],
  });
  folder.tick();
  await folder.waitForScrub();
  const firstScrub = { ended: '2026-11-22T09:00:00.000Z', read: 2, found: 1, running: null };
  expect(await readDamageList()).toMatchObject({
    scrub: firstScrub,
    records: [{ id: otherId, version: 1, current: true }],
  });
  expect(await readDamageState()).toEqual({ records: 1, scrub: firstScrub });

  await update('Two');
  folder.now += day - 1;
  folder.tick();
  await folder.waitForScrub();
  expect((await readDamageList()).scrub).toEqual(firstScrub);
  folder.now += 1;
  await folder.stop();
  await folder.start();
  expect((await readDamageList()).scrub).toEqual(firstScrub);
  folder.tick();
  await folder.waitForScrub();
  const secondScrub = { ended: '2026-11-23T09:00:00.000Z', read: 3, found: 1, running: null };
  expect((await readDamageList()).scrub).toEqual(secondScrub);

  folder.now += 1000;
  expect((await folder.send('POST', '/app/damage/scrub')).status).toBe(202);
  await folder.waitForScrub();
  expect((await readDamageList()).scrub.ended).toBe('2026-11-23T09:00:01.000Z');
});

test.skipIf(onSharedStore)('removes rewritten or restored records from the damage list', async () => {
  const backup = await backUp();
  const late = await create('Late');
  await damage(late);
  await folder.send('GET', `${type}/${late}`);
  expect((await readDamageList()).records).toHaveLength(1);
  expect((await folder.send('POST', `/app/backups/${backup}/restore`, '{}')).status).toBe(200);
  expect((await readDamageList()).records).toEqual([]);
  // The replaced file is read like a backup and stays unchanged.
  expect(await repair((await backUps())[0], otherId)).toMatchObject({ status: 422 });
  const files = readdirSync(join(folder.path, 'backups'));
  expect(files.filter((file) => !/\.db(?:\.json)?$/.test(file))).toEqual([]);
});

async function backUps(): Promise<string[]> {
  const { backups } = (await folder.send('GET', '/app/backups')).json;
  return backups.map(({ name }: Json) => name);
}
