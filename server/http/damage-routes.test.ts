import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamageList } from '../../core/app/damage.ts';
import { is } from '../../core/json/shape.ts';
import { damageBodies } from '../testing/damage.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan, onSharedStore, type Json } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';
const start = Date.parse('2026-11-22T09:00:00Z');
const day = 24 * 60 * 60 * 1000;

let folder: KeptFolder;
let id: string;
let other: string;

beforeEach(async () => {
  folder = await KeptFolder.make(start);
  await folder.start();
  id = await create('One');
  other = await create('Other');
});
afterEach(() => folder.remove());

async function create(title: string): Promise<string> {
  return (await folder.send('POST', type, carePlan('Patient/p', `,"title":"${title}"`))).json.id;
}

function update(title: string): Promise<Json> {
  return folder.send('PUT', `${type}/${id}`, carePlan('Patient/p', `,"title":"${title}"`));
}

async function backUp(): Promise<string> {
  // Each bears its time, which stands still here.
  folder.now += 1000;
  return (await folder.send('POST', '/app/backups', '{}')).json.name;
}

/** Flips a bit, or changes a letter, in a record's versions, all of them, and serves the folder again. */
async function damage(of = id, versions = 1): Promise<void> {
  await folder.stop();
  if (onSharedStore)
    await folder.tamper(`UPDATE version SET body = 'X' || substr(body, 2) WHERE id = '${of}'`);
  else expect(damageBodies(folder.records, { count: versions, seed: 7, id: of })).toHaveLength(versions);
  await folder.start();
}

async function listed(): Promise<Json> {
  const { status, json } = await folder.send('GET', '/app/damage');
  expect([status, is(DamageList, json)]).toEqual([200, true]);
  return json;
}

const damaged = async () => (await folder.send('GET', '/app/overview')).json.damage;
const mend = (backup: unknown, of = id) =>
  folder.send('POST', `/app/damage/CarePlan/${of}/mend`, JSON.stringify({ backup }));

test('row 89: what a request notices is listed with the backups that hold it whole, across a restart', async () => {
  const backUpHere = async (version: number) => (onSharedStore ? [] : [{ name: await backUp(), version }]);
  const first = await backUpHere(1);
  await update('Two');
  const second = await backUpHere(2);
  await damage(id, 2);
  expect((await listed()).records).toEqual([]);
  expect((await folder.send('GET', `${type}/${id}`)).status).toBe(500);
  await folder.stop();
  await folder.start();
  const { records } = await listed();
  expect(records).toMatchObject([
    {
      ...{
        type: 'CarePlan',
        id,
        version: 2,
        current: true,
        noticed: expect.stringMatching(/^2026-11-22T09/),
      },
      backups: [...second, ...first],
    },
  ]);
  expect(await damaged()).toMatchObject({ records: 1 });
  expect(folder.lines.filter((line) => line.includes(id))).toEqual([]);
});

test.skipIf(onSharedStore)(
  'row 89: a backup’s text mends it as a new version, and its history with the texts that were there',
  async () => {
    await update('Two');
    const backup = await backUp();
    await damage(id, 2);
    await folder.send('GET', `${type}/${id}/_history`);
    const mended = await mend(backup);
    expect([mended.status, mended.json]).toMatchObject([200, { id, title: 'Two', meta: { versionId: '3' } }]);
    expect((await folder.send('GET', `${type}/${id}`)).text).toBe(mended.text);
    expect((await folder.send('GET', `${type}?subject=Patient/p`)).json.entry).toMatchObject([
      { resource: { id }, search: { mode: 'match' } },
      { resource: { id: other } },
    ]);
    expect((await listed()).records).toEqual([]);
    for (const version of [1, 2]) {
      const past = await folder.send('GET', `${type}/${id}/_history/${version}`);
      expect([past.status, past.json.title]).toEqual([200, ['One', 'Two'][version - 1]]);
    }
    expect(await damaged()).toMatchObject({ records: 0 });
    const { entries } = (await folder.send('GET', '/app/audit')).json;
    expect(entries.filter(({ what }: Json) => what === `${type}/${id}`)).toContainEqual(
      expect.objectContaining({ action: 'update', before: 2, after: 3, status: 200 }),
    );
  },
);

test.skipIf(onSharedStore)(
  'row 89: what was wrong with a record before refuses no text that mends it; what is new does',
  async () => {
    const dirty = (members: object) =>
      JSON.stringify({ ...JSON.parse(carePlan('Patient/p')), id: 'dirty', status: 'actve', ...members });
    await folder.send('POST', '/app/import?keepIds=true&level=off', dirty({}), {
      'Content-Type': 'application/x-ndjson',
    });
    const backup = await backUp();
    for (const mended of [
      () => mend(backup, 'dirty'),
      () => folder.send('PUT', `${type}/dirty`, dirty({})),
    ]) {
      const { version } = (await folder.send('GET', `/app/history/CarePlan/dirty`)).json.versions[0];
      await damage('dirty', version);
      expect((await folder.send('PUT', `${type}/dirty`, dirty({ intent: 'paln' }))).status).toBe(400);
      const { status, json } = await mended();
      expect([status, json.status, json.meta.versionId]).toEqual([200, 'actve', String(Number(version) + 1)]);
    }
    const counts = await folder.send('POST', '/app/issue-counts', '{"type":"CarePlan","ids":["dirty"]}');
    expect(counts.json).toMatchObject({ dirty: [1, expect.any(Number)] });
  },
);

test.skipIf(onSharedStore)(
  'row 89: nothing is mended from what is not there, or where nothing is damaged',
  async () => {
    const before = await backUp();
    const late = await create('Late');
    await damage(late);
    expect((await mend(before, late)).json.issue[0].details.text).toMatch(/does not hold the CarePlan whole/);
    expect((await mend('records-none.db', late)).status).toBe(404);
    expect((await mend(before, 'none')).status).toBe(404);
    expect((await mend(before)).json.issue[0].details.text).toMatch(/Nothing of this CarePlan is damaged/);
    expect((await mend(17, late)).status).toBe(400);
    expect((await folder.send('GET', `${type}/${late}`)).status).toBe(500);
  },
);

test('item 21: all texts are read once a day, or when asked; what was found is told', async () => {
  await damage(other);
  expect(await listed()).toEqual({ scrub: { ended: null, read: 0, found: 0, running: null }, records: [] });
  folder.tick();
  await folder.scrubbed();
  const first = { ended: '2026-11-22T09:00:00.000Z', read: 2, found: 1, running: null };
  expect(await listed()).toMatchObject({ scrub: first, records: [{ id: other, version: 1, current: true }] });
  expect(await damaged()).toEqual({ records: 1, scrub: first });

  await update('Two');
  folder.now += day - 1;
  folder.tick();
  await folder.scrubbed();
  expect((await listed()).scrub).toEqual(first);
  folder.now += 1;
  await folder.stop();
  await folder.start();
  expect((await listed()).scrub).toEqual(first);
  folder.tick();
  await folder.scrubbed();
  const second = { ended: '2026-11-23T09:00:00.000Z', read: 3, found: 1, running: null };
  expect((await listed()).scrub).toEqual(second);

  folder.now += 1000;
  expect((await folder.send('POST', '/app/damage/scrub')).status).toBe(202);
  await folder.scrubbed();
  expect((await listed()).scrub.ended).toBe('2026-11-23T09:00:01.000Z');
});

test.skipIf(onSharedStore)(
  'item 21: a record that was written anew is listed no more, nor is one that a restore took away',
  async () => {
    const backup = await backUp();
    const late = await create('Late');
    await damage(late);
    await folder.send('GET', `${type}/${late}`);
    expect((await listed()).records).toHaveLength(1);
    expect((await folder.send('POST', `/app/backups/${backup}/restore`, '{}')).status).toBe(200);
    expect((await listed()).records).toEqual([]);
    // The file that was put aside is looked at as a backup is, and is left as it was.
    expect(await mend((await backUps())[0], other)).toMatchObject({ status: 422 });
    const files = readdirSync(join(folder.path, 'backups'));
    expect(files.filter((file) => !/\.db(?:\.json)?$/.test(file))).toEqual([]);
  },
);

async function backUps(): Promise<string[]> {
  const { backups } = (await folder.send('GET', '/app/backups')).json;
  return backups.map(({ name }: Json) => name);
}
