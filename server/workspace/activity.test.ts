import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../store/open-database.ts';
import type { SqliteDatabase } from '../store/sqlite.ts';
import { activityMigration, activityStore, type NewRequest } from './activity.ts';

let folder: string;
let database: SqliteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-activity-'));
  database = openDatabase(join(folder, 'workspace.db'), [activityMigration]);
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

const request = (path: string, others: Partial<NewRequest> = {}): NewRequest => ({
  time: '2026-01-01T00:00:00.000Z',
  kind: 'search',
  connection: 'Local',
  method: 'GET',
  path,
  status: 200,
  ms: 1.5,
  requestBytes: 0,
  answerBytes: 10,
  requestId: 'r',
  ...others,
});
const all = { count: 500 };

test('the newest entries are kept, the oldest go first', async () => {
  const store = activityStore(database, Date.now, 3);
  for (const path of ['/1', '/2', '/3', '/4', '/5']) store.note(request(path));
  expect(await store.list({}, all)).toMatchObject({
    total: 3,
    entries: [{ path: '/5' }, { path: '/4' }, { path: '/3' }],
  });
});

test('pages follow each other by place, whatever comes in between', async () => {
  const store = activityStore(database, Date.now);
  for (const path of ['/1', '/2', '/3']) store.note(request(path));
  const first = await store.list({}, { count: 2 });
  store.note(request('/4'));
  const second = await store.list({}, { count: 2, before: Number(first.next) });
  expect(second).toMatchObject({ entries: [{ path: '/1' }], total: 4 });
  expect(second.next).toBeUndefined();
  const newest = Number(first.entries[0]?.seq);
  expect(await store.list({}, { count: 2, after: newest })).toMatchObject({ entries: [{ path: '/4' }] });
});

test('each filter leaves what it names', async () => {
  const store = activityStore(database, () => Date.parse('2026-01-03T00:00:00.000Z'));
  store.note(request('/a_b'));
  store.note(request('/axb', { status: 404, kind: 'read', requestId: 'needle' }));
  store.note(request('/c', { method: 'PUT', kind: 'write', time: '2026-01-02T00:00:00.000Z' }));
  await store.add({ kind: 'bulk', note: 'Replaced 3 of A_B', counts: { done: 3 } });
  const kinds = async (filter: Parameters<typeof store.list>[0]) =>
    (await store.list(filter, all)).entries.map(({ kind }) => kind);
  expect(await kinds({ text: 'A_b' })).toEqual(['bulk', 'search']);
  expect(await kinds({ text: 'needle' })).toEqual(['read']);
  expect(await kinds({ method: 'PUT' })).toEqual(['write']);
  expect(await kinds({ status: '4xx' })).toEqual(['read']);
  expect(await kinds({ kind: 'bulk' })).toEqual(['bulk']);
  expect(await kinds({ since: '2026-01-02T00:00:00.000Z' })).toEqual(['bulk', 'write']);
});

test('what is cleared is in no file any more, and the places go on', async () => {
  const store = activityStore(database, Date.now);
  store.note(request('/fhir-r4/v1/CarePlan/very-particular-id'));
  const before = await store.list({}, all);
  expect(await store.clear()).toBe(1);
  expect(await store.list({}, all)).toEqual({ entries: [], total: 0 });
  for (const name of await readdir(folder)) {
    expect((await readFile(join(folder, name))).includes('very-particular-id')).toBe(false);
  }
  store.note(request('/next'));
  const [next] = (await store.list({}, all)).entries;
  expect(next?.seq).toBeGreaterThan(before.entries[0]?.seq ?? Infinity);
});
