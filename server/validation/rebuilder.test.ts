import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { derivations } from '../../core/derive/derivations.ts';
import { connect } from '../sqlite/sqlite.ts';
import { damageBodies } from '../testing/damage.ts';
import { ageDerivedRows, derivedRowsIn } from '../testing/derived-rows.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { carePlan, composition } from '../testing/test-server.ts';

const today = Date.UTC(2026, 10, 22, 12);

/** Template folder of these tests, with complete rows. */
let template: KeptFolder;
let right: Record<string, unknown>;
let folder: KeptFolder;

beforeAll(async () => {
  template = await KeptFolder.createFilled(today);
  right = derivedRowsIn(template.records);
}, 60_000);
afterEach(() => folder.remove());
afterAll(() => template.remove());

const copyTemplate = async () => {
  folder = await KeptFolder.make(today, template);
};
/** As another program left it. */
const aged = async () => {
  await copyTemplate();
  ageDerivedRows(folder.records);
};
/** The parts of this program, one of them as another makes it. */
const otherwise = (name: string) =>
  derivations.map((derivation) => (derivation.name === name ? { name, stamp: 'another' } : derivation));

test('rebuilds the rows of another version like those of a fresh import', async () => {
  await aged();
  expect(await folder.verify()).toEqual([]);
  await folder.start();
  await folder.waitForRebuild();
  await folder.stop();
  expect(derivedRowsIn(folder.records)).toEqual(right);
  expect(await folder.verify()).toEqual([]);
});

// Row 88 of docs/api-rows.md.
test('delays a search on a new parameter, serves all others, and both afterwards', async () => {
  await copyTemplate();
  const database = connect(folder.records);
  const recordCount = database
    .prepare('SELECT count(DISTINCT record) FROM token WHERE key = 12')
    .pluck()
    .get();
  // As in a version that does not know the parameter: no row has its key.
  database.exec('DELETE FROM token WHERE key = 12; DELETE FROM string WHERE key = 12');
  database.exec(`DELETE FROM derivation WHERE part = 'Composition.category'`);
  database.close();
  const path = '/fhir-r4/v1/Composition';
  const before = derivations.filter(({ name }) => name !== 'Composition.category');
  await folder.start(before);
  await folder.waitForRebuild();
  await folder.stop();

  folder.clockFails = 2;
  await folder.start();
  await folder.waitForRebuild();
  expect(folder.lines).toEqual([expect.stringMatching(/not rebuilt \(Error\); tried again in a minute/)]);
  for (const query of [
    'category:missing=true',
    'category=x',
    'status=final&category:text=x&_summary=count',
  ]) {
    const { status, headers, json } = await folder.send('GET', `${path}?_count=5&${query}`);
    expect([query, status]).toEqual([query, 503]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.issue).toMatchObject([
      {
        severity: 'error',
        code: 'transient',
        details: { text: expect.stringMatching(/^The index of category is being built: 0% of records/) },
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
    state: 'running',
    done: 0,
    parts: ['Composition.category'],
  });
  expect((await folder.send('POST', path, composition('Patient/p'))).status).toBe(201);

  folder.tick();
  await folder.waitForRebuild();
  expect((await folder.send('GET', `${path}?_count=0&category:missing=false`)).json.total).toBe(recordCount);
  expect((await folder.send('POST', path, composition('Patient/p'), unless)).status).toBe(201);
  expect((await folder.send('GET', '/app/overview')).json.rebuild).toEqual({
    state: 'idle',
    done: 0,
    total: 0,
    parts: [],
    skipped: 0,
  });
});

// Row 88 of docs/api-rows.md.
test('delays a sort until its columns exist', async () => {
  await copyTemplate();
  folder.clockFails = 2;
  await folder.start(otherwise('Composition/sort'));
  await folder.waitForRebuild();
  const sortBy = (sortKey: string) => folder.send('GET', `/fhir-r4/v1/Composition?_count=5&_sort=${sortKey}`);
  const pendingResponse = await sortBy('-title,_id');
  expect(pendingResponse.status).toBe(503);
  expect(pendingResponse.json.issue[0].details.text).toMatch(/^The order by title is being built/);
  expect((await sortBy('_lastUpdated,_id')).status).toBe(200);
  folder.tick();
  await folder.waitForRebuild();
  expect((await sortBy('-title,_id')).status).toBe(200);
});

test('rebuilds only the part that another version derived, and logs it', async () => {
  await aged();
  folder.markAsCurrent();
  const wrong = derivedRowsIn(folder.records);
  await folder.start(otherwise('CarePlan.status'));
  await folder.waitForRebuild();
  await folder.stop();
  const derivedRows = derivedRowsIn(folder.records);
  const isOf = (key: number) => (row: unknown) => Array.isArray(row) && row[1] === key;
  const rows = (tables: Record<string, unknown>, key: number) =>
    (tables.token as unknown[]).filter(isOf(key));
  expect(rows(derivedRows, 4)).toEqual(rows(right, 4));
  expect(rows(derivedRows, 5)).toEqual(rows(wrong, 5));
  expect(derivedRows.issue).toEqual(wrong.issue);
  // A row of another derivation must be rebuilt and is no damage.
  expect((await folder.verify()).some((line) => line.includes('token'))).toBe(true);
});

test('counts a record with a damaged text and rebuilds all others', async () => {
  await aged();
  const [flip] = damageBodies(folder.records, { count: 1, seed: 5 });
  const name = `${flip?.type}/${flip?.id}`;
  await folder.start();
  await folder.waitForRebuild();
  expect((await folder.send('GET', '/app/overview')).json.rebuild).toMatchObject({
    state: 'idle',
    skipped: 1,
  });
  await folder.stop();
  const otherRows = ({ token }: Record<string, unknown>) =>
    (token as string[][]).filter(([record]) => record !== name);
  expect(otherRows(derivedRowsIn(folder.records))).toEqual(otherRows(right));
});

test('reconciles the rows of a record on a PUT that changes nothing, and keeps the version', async () => {
  await aged();
  folder.markAsCurrent();
  const database = connect(folder.records);
  const tokenRows = database
    .prepare<unknown[], { type: string; id: string }>('SELECT type, id FROM record ORDER BY pk LIMIT 60')
    .all();
  database.close();
  await folder.start();
  for (const { type, id } of tokenRows) {
    const path = `/fhir-r4/v1/${type}/${id}`;
    const { text, headers } = await folder.send('GET', path);
    const repeated = await folder.send('PUT', path, text);
    expect([repeated.status, repeated.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  }
  await folder.stop();
  const names = new Set(tokenRows.map(({ type, id }) => `${type}/${id}`));
  const pickRows = (tables: Record<string, unknown>) =>
    Object.entries(tables).flatMap(([table, rows]) =>
      (rows as string[][])
        .filter(
          ([firstName = '', secondName = '']) =>
            names.has(firstName) || names.has(`${firstName}/${secondName}`),
        )
        .map((row) => [table, ...row]),
    );
  expect(pickRows(derivedRowsIn(folder.records))).toEqual(pickRows(right));
});

test('validates every record again and leaves the index unchanged', async () => {
  await copyTemplate();
  await folder.tamper(
    `DELETE FROM issue WHERE record % 2 = 0 AND rule <> 'narrative-stale'; DELETE FROM token WHERE record % 5 = 0`,
  );
  const wrong = derivedRowsIn(folder.records);
  await folder.start();
  await folder.waitForRebuild();
  const { status, json } = await folder.send('POST', '/app/quality/judge');
  expect(status).toBe(202);
  expect(json).toMatchObject({ state: 'running', parts: ['CarePlan/rules', 'Composition/rules'] });
  await folder.waitForRebuild();
  await folder.stop();
  const { issue, days, token } = derivedRowsIn(folder.records);
  expect([issue, days, token]).toEqual([right.issue, right.days, wrong.token]);
});

test('rebuilds the rows of an older backup after a restore, and none of an emptied store', async () => {
  await aged();
  await folder.start();
  await folder.waitForRebuild();
  await folder.send('POST', '/app/backups');
  const { name } = (await folder.send('GET', '/app/backups')).json.backups[0];
  const backup = connect(join(folder.path, 'backups', name as string));
  backup.exec(`UPDATE derivation SET stamp = 'of another program'; DELETE FROM token`);
  backup.close();
  expect((await folder.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  await folder.waitForRebuild();
  await folder.stop();
  expect(derivedRowsIn(folder.records)).toEqual(right);
  await folder.start();
  const otherRecords = (await folder.send('GET', '/app/training')).json.others;
  await folder.send('POST', '/app/training/reset', JSON.stringify({ others: otherRecords }));
  expect((await folder.send('GET', '/fhir-r4/v1/Composition?_count=0&status=final')).json.total).toBe(0);
  expect((await folder.send('GET', '/app/overview')).json.rebuild.state).toBe('idle');
});

test('runs the checks of today after a restore', async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
  await folder.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
  const { name } = (await folder.send('POST', '/app/backups')).json;
  const definition = { title: 'A plan has a title', type: 'CarePlan', holds: 'title.exists()', active: true };
  const check = { ...definition, category: 'completeness', severity: 'warning', version: 0 };
  await folder.send('PUT', '/app/checks/titled', JSON.stringify(check));
  await folder.runChecks();
  expect((await folder.send('POST', `/app/backups/${name}/restore`)).status).toBe(200);
  await folder.runChecks();
  const { findings } = (await folder.send('GET', '/app/quality/findings?rule=my/titled')).json;
  expect(findings).toHaveLength(1);
});
