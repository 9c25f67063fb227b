import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { derivations } from '../../core/derive/derivations.ts';
import { connect } from '../store/sqlite/sqlite.ts';
import { damageBodies } from '../testing/damage.ts';
import { ageDerivedRows, derivedRowsIn } from '../testing/derived-rows.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan, composition } from '../testing/test-server.ts';

const today = Date.UTC(2026, 10, 22, 12);

/** What stands in every folder of these tests, its rows as they are to be. */
let filled: KeptFolder;
let right: Record<string, unknown>;
let folder: KeptFolder;

beforeAll(async () => {
  filled = await KeptFolder.filled(today);
  right = derivedRowsIn(filled.records);
}, 60_000);
afterEach(() => folder.remove());
afterAll(() => filled.remove());

const copied = async () => {
  folder = await KeptFolder.make(today, filled);
};
/** As another program left it. */
const aged = async () => {
  await copied();
  ageDerivedRows(folder.records);
};
/** The parts of this program, one of them as another makes it. */
const otherwise = (name: string) =>
  derivations.map((one) => (one.name === name ? { name, stamp: 'another' } : one));

test('rows of another program are made anew, and are those that a fresh import of the same records has', async () => {
  await aged();
  expect(await folder.damage()).toEqual([]);
  await folder.start();
  await folder.settled();
  await folder.stop();
  expect(derivedRowsIn(folder.records)).toEqual(right);
  expect(await folder.damage()).toEqual([]);
});

test('row 88: a search on a parameter that is new waits for it; all others answer, and so does it afterwards', async () => {
  await copied();
  const database = connect(folder.records);
  const there = database.prepare('SELECT count(DISTINCT record) FROM token WHERE key = 12').pluck().get();
  // As it stands where no program has known the parameter: no row has its key.
  database.exec('DELETE FROM token WHERE key = 12; DELETE FROM string WHERE key = 12');
  database.exec(`DELETE FROM derivation WHERE part = 'Composition.category'`);
  database.close();
  const path = '/fhir-r4/v1/Composition';
  const before = derivations.filter(({ name }) => name !== 'Composition.category');
  await folder.start(before);
  await folder.settled();
  await folder.stop();

  folder.clockFails = 2;
  await folder.start();
  await folder.settled();
  expect(folder.lines).toEqual([expect.stringMatching(/not made anew \(Error\); tried again in a minute/)]);
  for (const query of [
    'category:missing=true',
    'category=x',
    'status=final&category:text=x&_summary=count',
  ]) {
    const { status, headers, json } = await folder.send('GET', `${path}?_count=5&${query}`);
    expect([query, status]).toEqual([query, 503]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.issue).toEqual([
      {
        ...{ severity: 'error', code: 'transient' },
        details: { text: expect.stringMatching(/^The index of category is being made: 0 % of the records/) },
      },
    ]);
  }
  const unless = { 'If-None-Exist': 'category=nowhere|x' };
  expect((await folder.send('POST', path, composition('Patient/p'), unless)).status).toBe(503);
  for (const query of ['status=final', '_sort=title', 'subject=p', '_sort=-date&type:missing=false', '']) {
    expect([query, (await folder.send('GET', `${path}?_count=5&${query}`)).status]).toEqual([query, 200]);
  }
  expect((await folder.send('GET', '/fhir-r4/v1/CarePlan?subject=p&category:missing=true')).status).toBe(200);
  expect((await folder.send('GET', '/app/overview')).json.rebuild).toMatchObject({
    ...{ state: 'running', done: 0, parts: ['Composition.category'] },
  });
  expect((await folder.send('POST', path, composition('Patient/p'))).status).toBe(201);

  folder.tick();
  await folder.settled();
  expect((await folder.send('GET', `${path}?_count=0&category:missing=false`)).json.total).toBe(there);
  expect((await folder.send('POST', path, composition('Patient/p'), unless)).status).toBe(201);
  expect((await folder.send('GET', '/app/overview')).json.rebuild).toEqual({
    ...{ state: 'idle', done: 0, total: 0, parts: [], skipped: 0 },
  });
});

test('row 88: an order waits for its columns', async () => {
  await copied();
  folder.clockFails = 2;
  await folder.start(otherwise('Composition/sort'));
  await folder.settled();
  const sorted = (by: string) => folder.send('GET', `/fhir-r4/v1/Composition?_count=5&_sort=${by}`);
  const waiting = await sorted('-title,_id');
  expect(waiting.status).toBe(503);
  expect(waiting.json.issue[0].details.text).toMatch(/^The order by title is being made/);
  expect((await sorted('_lastUpdated,_id')).status).toBe(200);
  folder.tick();
  await folder.settled();
  expect((await sorted('-title,_id')).status).toBe(200);
});

test('one part that was made otherwise is made anew by itself, and noted', async () => {
  await aged();
  folder.callCovered();
  const wrong = derivedRowsIn(folder.records);
  await folder.start(otherwise('CarePlan.status'));
  await folder.settled();
  await folder.stop();
  const found = derivedRowsIn(folder.records);
  const isOf = (key: number) => (row: unknown) => Array.isArray(row) && row[1] === key;
  const rows = (of: Record<string, unknown>, key: number) => (of.token as unknown[]).filter(isOf(key));
  expect(rows(found, 4)).toEqual(rows(right, 4));
  expect(rows(found, 5)).toEqual(rows(wrong, 5));
  expect(found.issue).toEqual(wrong.issue);
  // Of another derivation than this program's, it is to be made anew, and is no damage.
  expect((await folder.damage()).some((line) => line.includes('token'))).toBe(true);
});

test('a record whose text is damaged is passed over and counted; all others are made anew', async () => {
  await aged();
  const [flip] = damageBodies(folder.records, { count: 1, seed: 5 });
  const name = `${flip?.type}/${flip?.id}`;
  await folder.start();
  await folder.settled();
  expect((await folder.send('GET', '/app/overview')).json.rebuild).toMatchObject({
    state: 'idle',
    skipped: 1,
  });
  await folder.stop();
  const others = ({ token }: Record<string, unknown>) =>
    (token as string[][]).filter(([record]) => record !== name);
  expect(others(derivedRowsIn(folder.records))).toEqual(others(right));
});

test('a PUT that changes nothing mends the rows of its record and keeps the version', async () => {
  await aged();
  folder.callCovered();
  const database = connect(folder.records);
  const listed = database
    .prepare<unknown[], { type: string; id: string }>('SELECT type, id FROM record ORDER BY pk LIMIT 60')
    .all();
  database.close();
  await folder.start();
  for (const { type, id } of listed) {
    const path = `/fhir-r4/v1/${type}/${id}`;
    const { text, headers } = await folder.send('GET', path);
    const again = await folder.send('PUT', path, text);
    expect([again.status, again.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  }
  await folder.stop();
  const names = new Set(listed.map(({ type, id }) => `${type}/${id}`));
  const ofThese = (all: Record<string, unknown>) =>
    Object.entries(all).flatMap(([table, rows]) =>
      (rows as string[][])
        .filter(([first = '', second = '']) => names.has(first) || names.has(`${first}/${second}`))
        .map((row) => [table, ...row]),
    );
  expect(ofThese(derivedRowsIn(folder.records))).toEqual(ofThese(right));
});

test('Judge again finds anew what is wrong with every record, and leaves the index as it is', async () => {
  await copied();
  await folder.tamper(
    `DELETE FROM issue WHERE record % 2 = 0 AND rule <> 'narrative-stale'; DELETE FROM token WHERE record % 5 = 0`,
  );
  const wrong = derivedRowsIn(folder.records);
  await folder.start();
  await folder.settled();
  const { status, json } = await folder.send('POST', '/app/quality/judge');
  expect(status).toBe(202);
  expect(json).toMatchObject({ state: 'running', parts: ['CarePlan/rules', 'Composition/rules'] });
  await folder.settled();
  await folder.stop();
  const { issue, days, token } = derivedRowsIn(folder.records);
  expect([issue, days, token]).toEqual([right.issue, right.days, wrong.token]);
});

test('what an older backup brings is made anew behind the restore, and an emptied store has nothing to make', async () => {
  await aged();
  await folder.start();
  await folder.settled();
  await folder.send('POST', '/app/backups');
  const { name } = (await folder.send('GET', '/app/backups')).json.backups[0];
  const backup = connect(join(folder.path, 'backups', name as string));
  backup.exec(`UPDATE derivation SET stamp = 'of another program'; DELETE FROM token`);
  backup.close();
  expect((await folder.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  await folder.settled();
  await folder.stop();
  expect(derivedRowsIn(folder.records)).toEqual(right);
  await folder.start();
  const others = (await folder.send('GET', '/app/training')).json.others;
  await folder.send('POST', '/app/training/reset', JSON.stringify({ others }));
  expect((await folder.send('GET', '/fhir-r4/v1/Composition?_count=0&status=final')).json.total).toBe(0);
  expect((await folder.send('GET', '/app/overview')).json.rebuild.state).toBe('idle');
});

test('a restore is followed by what the checks of today say', async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
  await folder.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
  const { name } = (await folder.send('POST', '/app/backups')).json;
  const asked = { title: 'A plan has a title', type: 'CarePlan', holds: 'title.exists()', active: true };
  const check = { ...asked, category: 'completeness', severity: 'warning', version: 0 };
  await folder.send('PUT', '/app/checks/titled', JSON.stringify(check));
  await folder.checked();
  expect((await folder.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  await folder.checked();
  const { findings } = (await folder.send('GET', '/app/quality/findings?rule=my/titled')).json;
  expect(findings).toHaveLength(1);
});
