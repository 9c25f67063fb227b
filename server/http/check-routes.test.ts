import { afterEach, beforeEach, expect, test } from 'vitest';
import { expensiveExpression, manyNotes } from '../../core/fhirpath/testing/expensive.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import type { Answer, Json } from '../testing/test-server.ts';

const today = Date.UTC(2026, 10, 22, 12);

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
});
afterEach(() => folder.remove());

const titled = {
  type: 'CarePlan',
  title: 'A plan has a title',
  holds: 'title.exists()',
  category: 'completeness',
  severity: 'warning',
  active: true,
};

function put(id: string, check: object, version = 0): Promise<Answer> {
  return folder.send('PUT', `/app/checks/${id}`, JSON.stringify({ ...titled, ...check, version }));
}

async function findListed(id: string): Promise<Json> {
  const { json } = await folder.send('GET', '/app/checks');
  return json.find((listedCheck: Json) => listedCheck.id === id);
}

/** Stores a plan. Returns its address. */
async function storePlan(plan: object): Promise<string> {
  const record = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
  };
  const { json, status } = await folder.send(
    'POST',
    '/fhir-r4/v1/CarePlan',
    JSON.stringify({ ...record, ...plan }),
  );
  expect(status).toBe(201);
  return `/fhir-r4/v1/CarePlan/${json.id}`;
}

async function listFindings(rule: string): Promise<Json[]> {
  return (await folder.send('GET', `/app/quality/findings?rule=${rule}`)).json.findings;
}

const getId = (path: string) => path.split('/').at(-1);

test('checks every record and lists findings at their elements', async () => {
  const planPath = await storePlan({
    activity: [{ detail: { status: 'scheduled' } }, { detail: { status: 'unknown' } }],
  });
  await storePlan({ title: 'Walking' });
  await put('titled', {});
  const knownStatusCheck = {
    holds: "activity.all(detail.status != 'unknown')",
    points: "activity.where(detail.status = 'unknown')",
  };
  await put('known', {
    ...knownStatusCheck,
    title: 'Every activity has a status that says something',
    severity: 'error',
  });
  await folder.runChecks();
  expect(await findListed('titled')).toMatchObject({
    version: 1,
    progress: { applied: 2, violated: 1, findings: 1, skipped: 0, halted: false },
  });
  expect(await listFindings('my/titled')).toMatchObject([
    { id: getId(planPath), rule: 'my/titled', severity: 'warning', message: titled.title, pointer: '' },
  ]);
  expect(await listFindings('my/known')).toMatchObject([
    { id: getId(planPath), pointer: '/activity/1', severity: 'error' },
  ]);
  const { groups } = (await folder.send('GET', '/app/quality?text=says something')).json;
  expect(groups).toMatchObject([
    { rule: 'my/known', text: 'Every activity has a status that says something' },
  ]);
  await folder.stop();
  expect(await folder.verify()).toEqual([]);
});

test('runs a changed check again and removes the findings of a disabled check', async () => {
  await storePlan({ title: 'Walking' });
  await storePlan({});
  await put('titled', {});
  await folder.runChecks();
  await put('titled', { applies: 'title.exists()', holds: "title = 'Running'" }, 1);
  await folder.runChecks();
  expect((await findListed('titled')).progress).toMatchObject({ applied: 1, violated: 1 });
  expect(await listFindings('my/titled')).toMatchObject([{ title: 'Walking' }]);
  await put('titled', { active: false }, 2);
  await folder.runChecks();
  expect(await listFindings('my/titled')).toEqual([]);
  expect((await findListed('titled')).progress).toBeUndefined();
});

test('skips a record whose check times out and continues', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 50 });
  const largePlan = await storePlan({ title: 'Large', note: manyNotes });
  const good = await storePlan({ title: 'Walking' });
  await put('running', { title: 'Counts all for each', holds: expensiveExpression });
  await put('titled', {});
  const checked = folder.runChecks();
  expect((await folder.send('GET', '/fhir-r4/v1/metadata')).status).toBe(200);
  await checked;
  expect((await findListed('running')).progress).toMatchObject({
    applied: 1,
    violated: 0,
    skipped: 1,
    halted: false,
  });
  expect((await findListed('titled')).progress).toMatchObject({ applied: 2, violated: 0, skipped: 0 });
  const { json } = await folder.send('GET', '/app/checks/running/skipped');
  expect(json).toEqual({ type: 'CarePlan', ids: [getId(largePlan)] });
  expect((await folder.send('GET', good)).status).toBe(200);
});

test('aborts a check that times out on many records and runs others', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 20, runaways: 2 });
  for (const n of [1, 2, 3, 4]) await storePlan({ title: `Plan ${n}`, note: manyNotes });
  await put('running', { title: 'Counts all for each', holds: expensiveExpression });
  await put('titled', {});
  await folder.runChecks();
  expect((await findListed('running')).progress).toMatchObject({ applied: 0, skipped: 4, halted: true });
  expect((await findListed('titled')).progress).toMatchObject({ applied: 4, skipped: 0, halted: false });
});

test('survives an expression that exhausts the memory of the worker', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 60_000, memory: 64 });
  await storePlan({ title: 'x', note: manyNotes });
  await put('large', { holds: '%resource.descendants().select(%resource.descendants()).exists()' });
  await folder.runChecks();
  expect((await findListed('large')).progress).toMatchObject({ skipped: 1 });
});

test('reports why a check can’t be evaluated on a record', async () => {
  await storePlan({ category: [{ text: 'a' }, { text: 'b' }] });
  const trial = { type: 'CarePlan', holds: 'category.text' };
  const { json } = await folder.send('POST', '/app/checks/try', JSON.stringify(trial));
  expect(json).toMatchObject({
    records: 1,
    skipped: 1,
    unasked: [{ why: 'holds returns 2 values; one is expected.' }],
  });
});

test('tries a check on stored records or one text without storing it', async () => {
  for (let n = 0; n < 3; n += 1) await storePlan(n === 0 ? {} : { title: 'Walking' });
  const { type, holds: expression } = titled;
  const storedTrial = await folder.send(
    'POST',
    '/app/checks/try',
    JSON.stringify({ type, holds: expression }),
  );
  expect(storedTrial.json).toMatchObject({
    records: 3,
    applied: 3,
    violated: 1,
    skipped: 0,
    broken: [{ pointers: [''] }],
  });
  const record = JSON.stringify({ resourceType: 'CarePlan', activity: [{ reference: { display: 'x' } }] });
  const points = 'activity.reference.display';
  const textTrial = await folder.send(
    'POST',
    '/app/checks/try',
    JSON.stringify({ type, holds: expression, points, record }),
  );
  expect(textTrial.json).toMatchObject({
    records: 1,
    violated: 1,
    broken: [{ pointers: ['/activity/0/reference/display'] }],
  });
  expect((await folder.send('GET', '/app/checks')).json).toEqual([]);
});

test.each([
  [{ holds: 'title.exists(' }, 'holds', /line 1, column 14/],
  [{ holds: 'x', applies: 'a b' }, 'applies', /^Unexpected/],
  [{ holds: '' }, 'holds', /FHIRPath expression/],
  [{ severity: 'fatal' }, 'severity', /error or warning/],
  [{ further: 1 }, undefined, /Send id, title/],
])('a check that is wrong is refused, with the place: %j', async (wrong, expression, text) => {
  const { status, json } = await put('wrong', wrong);
  expect(status).toBe(400);
  expect(json.issue[0].details.text).toMatch(text);
  expect(json.issue[0].expression).toEqual(expression === undefined ? undefined : [expression]);
  expect((await folder.send('GET', '/app/checks')).json).toEqual([]);
});

test('rejects a stale update of a check', async () => {
  expect((await put('titled', {})).json).toMatchObject({ version: 1 });
  expect((await put('titled', {})).status).toBe(412);
  expect((await put('titled', { note: 'mine' }, 1)).json).toMatchObject({ version: 2 });
  expect((await put('titled', { note: 'theirs' }, 1)).status).toBe(412);
  expect(await findListed('titled')).toMatchObject({ note: 'mine' });
});

test('removes a check with its findings and rejects a second removal', async () => {
  await storePlan({});
  await put('titled', {});
  await folder.runChecks();
  expect((await folder.send('DELETE', '/app/checks/titled')).json).toEqual([]);
  await folder.runChecks();
  expect(await listFindings('my/titled')).toEqual([]);
  expect((await folder.send('DELETE', '/app/checks/titled')).status).toBe(404);
});

test('measures per day how many records a check applied to', async () => {
  await storePlan({});
  await storePlan({ title: 'Walking' });
  await put('titled', { applies: 'title.exists()', holds: 'false' });
  await folder.runChecks();
  const { series } = (await folder.send('GET', '/app/quality/measures?from=2026-11-22&to=2026-11-22')).json;
  expect(series.find(({ check }: Json) => check === 'my/titled').points).toEqual([
    ['2026-11-22', 1, 1, 0, 1],
  ]);
});

test('runs checks again on revalidation', async () => {
  await storePlan({});
  await put('titled', {});
  await folder.runChecks();
  await folder.stop();
  await folder.tamper("DELETE FROM issue WHERE rule LIKE 'my/%'");
  await folder.start();
  await folder.runChecks();
  expect(await listFindings('my/titled')).toEqual([]);
  await folder.send('POST', '/app/quality/judge');
  await folder.runChecks();
  expect(await listFindings('my/titled')).toHaveLength(1);
});

test('exports checks as files and ignores an invalid expression on import', async () => {
  await storePlan({ title: 'Walking' });
  await put('titled', { note: 'from 1 January', failAbove: { percent: 2 } });
  const { files } = (await folder.send('GET', '/app/settings/files')).json;
  const file = files.find(({ path }: Json) => path === 'checks/titled.json');
  expect(JSON.parse(file.text)).toEqual({
    id: 'titled',
    ...titled,
    note: 'from 1 January',
    failAbove: { percent: 2 },
  });
  await folder.send('DELETE', '/app/checks/titled');
  const invalidFile = {
    path: 'checks/broken.json',
    text: file.text.replaceAll('titled', 'broken').replace('exists()', 'exists('),
  };
  const head = files.find(({ path }: Json) => path === 'chartkeeper.json');
  const settingsImport = { dryRun: false, files: [head, file, invalidFile] };
  const { lines } = (await folder.send('POST', '/app/settings/files', JSON.stringify(settingsImport))).json;
  expect(lines.map(({ result }: Json) => result)).toEqual(['new', 'new']);
  await folder.runChecks();
  expect(await findListed('titled')).toMatchObject({ by: 'settings', progress: { applied: 1, skipped: 0 } });
  expect(await findListed('broken')).toMatchObject({ progress: { applied: 0, skipped: 1 } });
});

test('returns the findings of enabled checks for a text, stored or not', async () => {
  await put('titled', {});
  await put('off', { active: false, holds: 'false' });
  await put('runaway', { holds: expensiveExpression, severity: 'error' });
  await put('letter', { type: 'Composition' });
  const ask = (record: string) =>
    folder.send('POST', '/app/checks/findings', JSON.stringify({ type: 'CarePlan', record }));
  const record = { resourceType: 'CarePlan', note: manyNotes };
  const { title: text, category, severity } = titled;
  expect((await ask(JSON.stringify(record))).json).toEqual([
    { rule: 'my/titled', text, category, severity, pointer: '' },
  ]);
  expect((await ask(JSON.stringify({ ...record, title: 'Walking' }))).json).toEqual([]);
  expect((await ask('{')).json).toEqual([]);
  expect((await folder.send('POST', '/app/checks/findings', '{"type":"CarePlan"}')).status).toBe(400);
});
