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

async function listed(id: string): Promise<Json> {
  const { json } = await folder.send('GET', '/app/checks');
  return json.find((one: Json) => one.id === id);
}

/** Stores a plan; answers its address. */
async function stored(plan: object): Promise<string> {
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

async function findings(rule: string): Promise<Json[]> {
  return (await folder.send('GET', `/app/quality/findings?rule=${rule}`)).json.findings;
}

const idOf = (path: string) => path.split('/').at(-1);

test('a check is asked of every record: what it finds is in the worklist, at its element', async () => {
  const without = await stored({
    activity: [{ detail: { status: 'scheduled' } }, { detail: { status: 'unknown' } }],
  });
  await stored({ title: 'Walking' });
  await put('titled', {});
  const known = {
    holds: "activity.all(detail.status != 'unknown')",
    points: "activity.where(detail.status = 'unknown')",
  };
  await put('known', {
    ...known,
    title: 'Every activity has a status that says something',
    severity: 'error',
  });
  await folder.checked();
  expect(await listed('titled')).toMatchObject({
    version: 1,
    progress: { applied: 2, violated: 1, findings: 1, skipped: 0, halted: false },
  });
  expect(await findings('my/titled')).toMatchObject([
    { id: idOf(without), rule: 'my/titled', severity: 'warning', message: titled.title, pointer: '' },
  ]);
  expect(await findings('my/known')).toMatchObject([
    { id: idOf(without), pointer: '/activity/1', severity: 'error' },
  ]);
  const { groups } = (await folder.send('GET', '/app/quality?text=says something')).json;
  expect(groups).toMatchObject([
    { rule: 'my/known', text: 'Every activity has a status that says something' },
  ]);
  await folder.stop();
  expect(await folder.damage()).toEqual([]);
});

test('a record that changes is asked again; a finding that stays keeps what was said of it', async () => {
  const path = await stored({});
  await put('titled', {});
  await folder.checked();
  const finding = { type: 'CarePlan', id: idOf(path), rule: 'my/titled', pointer: '' };
  const waived = { set: 'waived', reason: 'Agreed.', findings: [finding] };
  expect((await folder.send('PUT', '/app/quality/states', JSON.stringify(waived))).json.changed).toBe(1);
  const { text } = await folder.send('GET', path);
  await folder.send('PUT', path, text.replace('active', 'completed'));
  await folder.checked();
  expect(await findings('my/titled')).toMatchObject([{ version: 2, state: { state: 'waived' } }]);
  await folder.send('PUT', path, text.replace('{', '{"title":"Walking",'));
  await folder.checked();
  expect(await findings('my/titled')).toEqual([]);
  expect(await listed('titled')).toMatchObject({ progress: { applied: 1, violated: 0 } });
});

test('a check that is changed is asked anew; one that is switched off takes its findings along', async () => {
  await stored({ title: 'Walking' });
  await stored({});
  await put('titled', {});
  await folder.checked();
  await put('titled', { applies: 'title.exists()', holds: "title = 'Running'" }, 1);
  await folder.checked();
  expect((await listed('titled')).progress).toMatchObject({ applied: 1, violated: 1 });
  expect(await findings('my/titled')).toMatchObject([{ title: 'Walking' }]);
  await put('titled', { active: false }, 2);
  await folder.checked();
  expect(await findings('my/titled')).toEqual([]);
  expect((await listed('titled')).progress).toBeUndefined();
});

test('an expression that runs away marks its record as not judged, and stops nobody', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 50 });
  const large = await stored({ title: 'Large', note: manyNotes });
  const good = await stored({ title: 'Walking' });
  await put('running', { title: 'Counts all for each', holds: expensiveExpression });
  await put('titled', {});
  const asked = folder.checked();
  expect((await folder.send('GET', '/fhir-r4/v1/metadata')).status).toBe(200);
  await asked;
  expect((await listed('running')).progress).toMatchObject({
    applied: 1,
    violated: 0,
    skipped: 1,
    halted: false,
  });
  expect((await listed('titled')).progress).toMatchObject({ applied: 2, violated: 0, skipped: 0 });
  const { json } = await folder.send('GET', '/app/checks/running/skipped');
  expect(json).toEqual({ type: 'CarePlan', ids: [idOf(large)] });
  expect((await folder.send('GET', good)).status).toBe(200);
});

test('a check that runs away on many records is given up; another goes on', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 20, runaways: 2 });
  for (const n of [1, 2, 3, 4]) await stored({ title: `Plan ${n}`, note: manyNotes });
  await put('running', { title: 'Counts all for each', holds: expensiveExpression });
  await put('titled', {});
  await folder.checked();
  expect((await listed('running')).progress).toMatchObject({ applied: 0, skipped: 4, halted: true });
  expect((await listed('titled')).progress).toMatchObject({ applied: 4, skipped: 0, halted: false });
});

test('an expression that takes all memory costs its record the verdict, and the server nothing', async () => {
  await folder.stop();
  await folder.start(undefined, { time: 60_000, memory: 64 });
  await stored({ title: 'x', note: manyNotes });
  await put('large', { holds: '%resource.descendants().select(%resource.descendants()).exists()' });
  await folder.checked();
  expect((await listed('large')).progress).toMatchObject({ skipped: 1 });
});

test('what cannot be evaluated on a record says why where it is tried', async () => {
  await stored({ category: [{ text: 'a' }, { text: 'b' }] });
  const trial = { type: 'CarePlan', holds: 'category.text' };
  const { json } = await folder.send('POST', '/app/checks/try', JSON.stringify(trial));
  expect(json).toMatchObject({
    records: 1,
    skipped: 1,
    unasked: [{ why: 'holds gives 2 values, where one is expected.' }],
  });
});

test('a check is tried on stored records and on one text, and nothing is kept', async () => {
  for (let n = 0; n < 3; n += 1) await stored(n === 0 ? {} : { title: 'Walking' });
  const { type, holds } = titled;
  const many = await folder.send('POST', '/app/checks/try', JSON.stringify({ type, holds }));
  expect(many.json).toMatchObject({
    records: 3,
    applied: 3,
    violated: 1,
    skipped: 0,
    broken: [{ pointers: [''] }],
  });
  const record = JSON.stringify({ resourceType: 'CarePlan', activity: [{ reference: { display: 'x' } }] });
  const points = 'activity.reference.display';
  const one = await folder.send('POST', '/app/checks/try', JSON.stringify({ type, holds, points, record }));
  expect(one.json).toMatchObject({
    records: 1,
    violated: 1,
    broken: [{ pointers: ['/activity/0/reference/display'] }],
  });
  expect((await folder.send('GET', '/app/checks')).json).toEqual([]);
});

test.each([
  [{ holds: 'title.exists(' }, 'holds', /at line 1, column 14/],
  [{ holds: 'x', applies: 'a b' }, 'applies', /not expected/],
  [{ holds: '' }, 'holds', /FHIRPath expression/],
  [{ severity: 'fatal' }, 'severity', /error, warning/],
  [{ further: 1 }, undefined, /Send id, title/],
])('a check that is wrong is refused, with the place: %j', async (wrong, expression, text) => {
  const { status, json } = await put('wrong', wrong);
  expect(status).toBe(400);
  expect(json.issue[0].details.text).toMatch(text);
  expect(json.issue[0].expression).toEqual(expression === undefined ? undefined : [expression]);
  expect((await folder.send('GET', '/app/checks')).json).toEqual([]);
});

test('nobody overwrites the check of another unawares', async () => {
  expect((await put('titled', {})).json).toMatchObject({ version: 1 });
  expect((await put('titled', {})).status).toBe(412);
  expect((await put('titled', { note: 'mine' }, 1)).json).toMatchObject({ version: 2 });
  expect((await put('titled', { note: 'theirs' }, 1)).status).toBe(412);
  expect(await listed('titled')).toMatchObject({ note: 'mine' });
});

test('a check that is removed is gone with what it found; a second removal finds none', async () => {
  await stored({});
  await put('titled', {});
  await folder.checked();
  expect((await folder.send('DELETE', '/app/checks/titled')).json).toEqual([]);
  await folder.checked();
  expect(await findings('my/titled')).toEqual([]);
  expect((await folder.send('DELETE', '/app/checks/titled')).status).toBe(404);
});

test('a day is measured with what each check applied to', async () => {
  await stored({});
  await stored({ title: 'Walking' });
  await put('titled', { applies: 'title.exists()', holds: 'false' });
  await folder.checked();
  const { series } = (await folder.send('GET', '/app/quality/measures?from=2026-11-22&to=2026-11-22')).json;
  expect(series.find(({ check }: Json) => check === 'my/titled').points).toEqual([
    ['2026-11-22', 1, 1, 0, 1],
  ]);
});

test('Judge again asks the checks again', async () => {
  await stored({});
  await put('titled', {});
  await folder.checked();
  await folder.stop();
  await folder.tamper("DELETE FROM issue WHERE rule LIKE 'my/%'");
  await folder.start();
  await folder.checked();
  expect(await findings('my/titled')).toEqual([]);
  await folder.send('POST', '/app/quality/judge');
  await folder.checked();
  expect(await findings('my/titled')).toHaveLength(1);
});

test('checks are carried as files; one that is no expression is asked of no record, and keeps no other from it', async () => {
  await stored({ title: 'Walking' });
  await put('titled', { note: 'from 1 January', failAbove: { percent: 2 } });
  const { files } = (await folder.send('GET', '/app/settings/files')).json;
  const file = files.find(({ path }: Json) => path === 'checks/titled.json');
  expect(JSON.parse(file.text)).toEqual({
    ...{ id: 'titled', ...titled },
    ...{ note: 'from 1 January', failAbove: { percent: 2 } },
  });
  await folder.send('DELETE', '/app/checks/titled');
  const broken = {
    path: 'checks/broken.json',
    text: file.text.replaceAll('titled', 'broken').replace('exists()', 'exists('),
  };
  const head = files.find(({ path }: Json) => path === 'chartkeeper.json');
  const sent = { dryRun: false, files: [head, file, broken] };
  const { lines } = (await folder.send('POST', '/app/settings/files', JSON.stringify(sent))).json;
  expect(lines.map(({ result }: Json) => result)).toEqual(['new', 'new']);
  await folder.checked();
  expect(await listed('titled')).toMatchObject({ by: 'settings', progress: { applied: 1, skipped: 0 } });
  expect(await listed('broken')).toMatchObject({ progress: { applied: 0, skipped: 1 } });
});

test('a text is asked what the checks that are switched on find in it, whether or not it is stored', async () => {
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
