import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { owner } from '../access/principal.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { onSharedStore, type Answer } from '../testing/test-server.ts';

const today = Date.UTC(2026, 10, 22, 12);
const day = 86_400_000;
const dayAt = (days: number) => new Date(today + days * day).toISOString().slice(0, 10);

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
  await folder.settled();
});
afterEach(() => folder.remove());

/** Stores an open plan that ended long ago; answers its id. */
async function stored(title: string, patient = 'p'): Promise<string> {
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title,
    subject: { reference: `Patient/${patient}` },
    meta: { source: `urn:${patient}` },
  };
  const period = { start: '2025-01-01', end: '2025-02-01' };
  const { json } = await folder.send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify({ ...plan, period }));
  return json.id;
}

const rule = 'plan-overdue';
const say = (body: object): Promise<Answer> =>
  folder.send('PUT', '/app/quality/states', JSON.stringify(body));

interface Listed {
  readonly id: string;
  readonly rule: string;
  readonly pointer: string;
  readonly state?: { readonly state: string; readonly reason?: string };
}

async function listed(query: string): Promise<Listed[]> {
  return (await folder.send('GET', `/app/quality/findings?rule=${rule}&${query}`)).json.findings;
}

async function waiveFirst(until?: string): Promise<Listed> {
  const [first] = await listed('');
  if (!first) throw new Error('nothing is wrong');
  const { id, pointer } = first;
  const findings = [{ type: 'CarePlan', id, rule, pointer }];
  const { json } = await say({
    set: 'waived',
    reason: 'The ward agreed.',
    findings,
    ...(until && { until }),
  });
  expect(json).toEqual({ changed: 1, gone: 0 });
  return first;
}

async function later(days: number): Promise<void> {
  folder.now = today + days * day;
  folder.tick();
  await folder.settled();
}

/** Ends what is overdue. */
async function mend(id: string): Promise<void> {
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  const { text } = await folder.send('GET', path);
  expect((await folder.send('PUT', path, text.replace('"active"', '"completed"'))).status).toBe(200);
}

test('a waiver survives judging anew and a restart, and ends behind its last day', async () => {
  const id = await stored('A');
  await waiveFirst(dayAt(1));
  expect(await listed('state=open')).toEqual([]);
  await folder.send('POST', '/app/quality/judge');
  await folder.settled();
  await folder.stop();
  await folder.start();
  await later(1);
  expect(await listed('state=waived')).toMatchObject([{ id, state: { reason: 'The ward agreed.' } }]);
  expect((await folder.send('GET', '/app/quality')).json.states).toMatchObject({ waived: 1 });
  await later(2);
  expect(await listed('state=waived')).toEqual([]);
  expect(await listed('state=open')).toMatchObject([{ id, state: { state: 'open' } }]);
  await folder.stop();
  expect(await folder.damage()).toEqual([]);
});

test('a state leaves with its finding, and does not come back with another of the same rule', async () => {
  const id = await stored('A');
  await waiveFirst();
  await mend(id);
  expect(await listed('')).toEqual([]);
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  const { text } = await folder.send('GET', path);
  await folder.send('PUT', path, text.replace('"completed"', '"active"'));
  expect(await listed('state=open')).toMatchObject([{ id }]);
});

// A shared store erases nothing yet.
test.skipIf(onSharedStore)(
  'a state leaves with an erased record, and its reason is in no page of the file',
  async () => {
    const id = await stored('A');
    await waiveFirst();
    const body = JSON.stringify({ type: 'CarePlan', id, reason: 'It was asked for.' });
    expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
    await folder.stop();
    expect(readFileSync(folder.records).includes('The ward agreed.')).toBe(false);
  },
);

test('all findings of a filter are assigned at once, and each record has its entry in the trail', async () => {
  const ids = [await stored('A'), await stored('B')];
  expect((await say({ set: 'assigned', assignee: 'Robin', filter: `rule=${rule}` })).json.changed).toBe(2);
  expect((await listed('assignee=Robin&state=assigned')).map(({ id }) => id)).toEqual(ids);
  expect(await listed('assignee=Kim')).toEqual([]);
  const { entries } = (await folder.send('GET', '/app/audit?action=finding')).json;
  expect(entries.map(({ what }: { what: string }) => what)).toEqual(
    ids.map((id) => expect.stringContaining(`CarePlan/${id}?set=assigned&findings=1`)).reverse(),
  );
});

test.each([
  [{ set: 'waived', filter: '' }, /reason/],
  [{ set: 'assigned', filter: '' }, /assignee/],
  [{ set: 'open' }, /findings or a filter/],
  [{ set: 'waived', reason: 'x', until: '2026-02-31', filter: '' }, /until/],
  [{ set: 'open', filter: 'nothing=1' }, /worklist takes/],
])('%j is refused with a sentence that says what is wrong', async (body, sentence) => {
  const { status, text } = await say(body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).toMatch(sentence);
});

test('each day keeps what it was measured, and two days are compared', async () => {
  const [first] = [await stored('A'), await stored('B')];
  await later(1);
  await mend(first);
  await stored('C');
  await later(2);
  const address = (name: string) => `/app/quality/${name}?from=${dayAt(0)}&to=${dayAt(2)}`;
  const { days, series } = (await folder.send('GET', address('measures'))).json;
  expect(days).toEqual([dayAt(0), dayAt(1), dayAt(2)]);
  const of = (check: string) => series.find((one: { check: string }) => one.check === check).points;
  // The day was measured when it began; today is as it is now.
  expect(of(rule)).toEqual([
    [dayAt(1), 2, 2, 0, 2],
    [dayAt(2), 3, 2, 0, 2],
  ]);
  expect((await folder.send('GET', address('measures.csv'))).text).toContain(
    `${dayAt(2)},${rule},CarePlan,3,2,0,2`,
  );
  const { rules } = (await folder.send('GET', `/app/quality/compared?from=${dayAt(0)}&to=${dayAt(1)}`)).json;
  expect(rules).toContainEqual(
    expect.objectContaining({ rule, type: 'CarePlan', new: 1, resolved: 1, persisting: 1, waived: 0 }),
  );
  const report = (await folder.send('GET', address('report'))).json;
  expect(report).toMatchObject({ resourceType: 'MeasureReport', date: dayAt(2) });
});

test('what is waived is counted apart: in no rule and no category, and in the comparison beside', async () => {
  await stored('A');
  await stored('B');
  await waiveFirst();
  const period = `from=${dayAt(0)}&to=${dayAt(0)}`;
  const { series } = (await folder.send('GET', `/app/quality/measures?${period}`)).json;
  const of = (check: string) => series.find((one: { check: string }) => one.check === check).points;
  for (const check of [rule, 'all', 'plausibility']) expect(of(check)).toEqual([[dayAt(0), 2, 1, 0, 1]]);
  expect(of('waived')).toEqual([[dayAt(0), 2, 1, 0, 1]]);
  const { rules } = (await folder.send('GET', `/app/quality/compared?${period}`)).json;
  expect(rules).toContainEqual(
    expect.objectContaining({ rule, type: 'CarePlan', new: 0, resolved: 0, persisting: 2, waived: 1 }),
  );
  const { flagged, open } = (await folder.send('GET', '/app/quality')).json;
  expect([flagged.CarePlan, open.CarePlan]).toEqual([2, 1]);
});

test.skipIf(onSharedStore)(
  'a finding ends on the day of the server’s clock, whether its record is erased or its rows are put right',
  async () => {
    const [first, second] = [await stored('A'), await stored('B')];
    await folder.stop();
    await folder.tamper(
      `INSERT INTO issue (pk, rule, severity, category, pointer, since)
     SELECT pk + 1, 'other', severity, category, pointer, since FROM issue ORDER BY pk LIMIT 1`,
    );
    await folder.start();
    await later(1);
    const path = `/fhir-r4/v1/CarePlan/${first}`;
    const { text } = await folder.send('GET', path);
    expect((await folder.send('PUT', path, text)).status).toBe(200);
    const body = JSON.stringify({ type: 'CarePlan', id: second, reason: 'It was asked for.' });
    expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
    const { rules } = (await folder.send('GET', `/app/quality/compared?from=${dayAt(0)}&to=${dayAt(1)}`))
      .json;
    expect(rules).toContainEqual(expect.objectContaining({ rule, resolved: 1, persisting: 1 }));
    expect(rules).toContainEqual(expect.objectContaining({ rule: 'other', resolved: 1, persisting: 0 }));
  },
);

test.each(['record', 'patient', 'rule', 'source', 'author', 'month'])(
  'findings are put together by %s, and one of the groups narrows the list',
  async (by) => {
    const id = await stored('A');
    await stored('B', 'q');
    const { groups } = (await folder.send('GET', `/app/quality/groups?rule=${rule}&by=${by}`)).json;
    const month = dayAt(0).slice(0, 7);
    const keys = { record: `CarePlan/${id}`, patient: 'p', rule, month, source: 'urn:p', author: owner.name };
    const key = keys[by as keyof typeof keys];
    const common = ['rule', 'author', 'month'].includes(by);
    const counts = { records: common ? 2 : 1, findings: common ? 2 : 1 };
    const shared = !['record', 'rule'].includes(by);
    expect(groups).toContainEqual({ key, ...counts, ...(shared && { all: counts.records }) });
    const unsized = (await folder.send('GET', `/app/quality/groups?rule=${rule}&by=${by}&all=false`)).json;
    expect(unsized.groups).toContainEqual({ key, ...counts });
    const found = await listed(`group=${encodeURIComponent(`${by}:${key}`)}`);
    expect(found).toHaveLength(common ? 2 : 1);
    expect(found[0]).toMatchObject({ id });
    expect(await listed(`group=${by}:nothing`)).toEqual([]);
  },
);
