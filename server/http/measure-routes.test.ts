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
  await folder.waitForRebuild();
});
afterEach(() => folder.remove());

/** Stores an open plan with a past end. Returns its id. */
async function storePlan(title: string, patient = 'p'): Promise<string> {
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
const setState = (body: object): Promise<Answer> =>
  folder.send('PUT', '/app/quality/states', JSON.stringify(body));

interface ListedFinding {
  readonly id: string;
  readonly rule: string;
  readonly pointer: string;
  readonly state?: { readonly state: string; readonly reason?: string };
}

async function listFindings(query: string): Promise<ListedFinding[]> {
  return (await folder.send('GET', `/app/quality/findings?rule=${rule}&${query}`)).json.findings;
}

async function waiveFirst(until?: string): Promise<ListedFinding> {
  const [firstFinding] = await listFindings('');
  if (!firstFinding) throw new Error('nothing is wrong');
  const { id, pointer } = firstFinding;
  const findings = [{ type: 'CarePlan', id, rule, pointer }];
  const { json } = await setState({
    set: 'waived',
    reason: 'The ward agreed.',
    findings,
    ...(until && { until }),
  });
  expect(json).toEqual({ changed: 1, gone: 0 });
  return firstFinding;
}

async function advanceDays(days: number): Promise<void> {
  folder.now = today + days * day;
  folder.tick();
  await folder.waitForRebuild();
}

/** Resolves the overdue plan. */
async function repair(id: string): Promise<void> {
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  const { text } = await folder.send('GET', path);
  expect((await folder.send('PUT', path, text.replace('"active"', '"completed"'))).status).toBe(200);
}

test('keeps a waiver through revalidation and a restart until its last day', async () => {
  const id = await storePlan('A');
  await waiveFirst(dayAt(1));
  expect(await listFindings('state=open')).toEqual([]);
  await folder.send('POST', '/app/quality/judge');
  await folder.waitForRebuild();
  await folder.stop();
  await folder.start();
  await advanceDays(1);
  expect(await listFindings('state=waived')).toMatchObject([{ id, state: { reason: 'The ward agreed.' } }]);
  expect((await folder.send('GET', '/app/quality')).json.states).toMatchObject({ waived: 1 });
  await advanceDays(2);
  expect(await listFindings('state=waived')).toEqual([]);
  expect(await listFindings('state=open')).toMatchObject([{ id, state: { state: 'open' } }]);
  await folder.stop();
  expect(await folder.verify()).toEqual([]);
});

// A shared store does not support erasure yet.
test.skipIf(onSharedStore)('removes the state of an erased record from every page of the file', async () => {
  const id = await storePlan('A');
  await waiveFirst();
  const body = JSON.stringify({ type: 'CarePlan', id, reason: 'It was asked for.' });
  expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
  await folder.stop();
  expect(readFileSync(folder.records).includes('The ward agreed.')).toBe(false);
});

test('assigns all findings of a filter and audits each record', async () => {
  const ids = [await storePlan('A'), await storePlan('B')];
  expect((await setState({ set: 'assigned', assignee: 'Robin', filter: `rule=${rule}` })).json.changed).toBe(
    2,
  );
  expect((await listFindings('assignee=Robin&state=assigned')).map(({ id }) => id)).toEqual(ids);
  expect(await listFindings('assignee=Kim')).toEqual([]);
  const { entries } = (await folder.send('GET', '/app/audit?action=finding')).json;
  expect(entries.map(({ what: target }: Record<string, unknown>) => target)).toEqual(
    ids.map((id) => expect.stringContaining(`CarePlan/${id}?set=assigned&findings=1`)).reverse(),
  );
});

test.each([
  [{ set: 'waived', filter: '' }, /reason/],
  [{ set: 'assigned', filter: '' }, /assignee/],
  [{ set: 'open' }, /findings or filter/],
  [{ set: 'waived', reason: 'x', until: '2026-02-31', filter: '' }, /until/],
  [{ set: 'open', filter: 'nothing=1' }, /Supported: rule, category/],
])('explains an invalid state: %j', async (body, sentence) => {
  const { status, text } = await setState(body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).toMatch(sentence);
});

test('stores daily measures and compares two days', async () => {
  const [firstId] = [await storePlan('A'), await storePlan('B')];
  await advanceDays(1);
  await repair(firstId);
  await storePlan('C');
  await advanceDays(2);
  const address = (name: string) => `/app/quality/${name}?from=${dayAt(0)}&to=${dayAt(2)}`;
  const { days, series } = (await folder.send('GET', address('measures'))).json;
  expect(days).toEqual([dayAt(0), dayAt(1), dayAt(2)]);
  const listPoints = (check: string) =>
    series.find((measure: { check: string }) => measure.check === check).points;
  // The past day was measured at its start. Today is measured now.
  expect(listPoints(rule)).toEqual([
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

test('counts waived findings separately and in no rule or category', async () => {
  await storePlan('A');
  await storePlan('B');
  await waiveFirst();
  const period = `from=${dayAt(0)}&to=${dayAt(0)}`;
  const { series } = (await folder.send('GET', `/app/quality/measures?${period}`)).json;
  const listPoints = (check: string) =>
    series.find((measure: { check: string }) => measure.check === check).points;
  for (const check of [rule, 'all', 'plausibility'])
    expect(listPoints(check)).toEqual([[dayAt(0), 2, 1, 0, 1]]);
  expect(listPoints('waived')).toEqual([[dayAt(0), 2, 1, 0, 1]]);
  const { rules } = (await folder.send('GET', `/app/quality/compared?${period}`)).json;
  expect(rules).toContainEqual(
    expect.objectContaining({ rule, type: 'CarePlan', new: 0, resolved: 0, persisting: 2, waived: 1 }),
  );
  const { flagged: flaggedCounts, open } = (await folder.send('GET', '/app/quality')).json;
  expect([flaggedCounts.CarePlan, open.CarePlan]).toEqual([2, 1]);
});

test.skipIf(onSharedStore)(
  'ends a finding on the day of the server’s clock for erasures and repairs',
  async () => {
    const [firstId, secondId] = [await storePlan('A'), await storePlan('B')];
    await folder.stop();
    await folder.tamper(
      `INSERT INTO issue (pk, rule, severity, category, pointer, since)
     SELECT pk + 1, 'other', severity, category, pointer, since FROM issue ORDER BY pk LIMIT 1`,
    );
    await folder.start();
    await advanceDays(1);
    const path = `/fhir-r4/v1/CarePlan/${firstId}`;
    const { text } = await folder.send('GET', path);
    expect((await folder.send('PUT', path, text)).status).toBe(200);
    const body = JSON.stringify({ type: 'CarePlan', id: secondId, reason: 'It was asked for.' });
    expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
    const { rules } = (await folder.send('GET', `/app/quality/compared?from=${dayAt(0)}&to=${dayAt(1)}`))
      .json;
    expect(rules).toContainEqual(expect.objectContaining({ rule, resolved: 1, persisting: 1 }));
    expect(rules).toContainEqual(expect.objectContaining({ rule: 'other', resolved: 1, persisting: 0 }));
  },
);

test.each(['record', 'patient', 'rule', 'source', 'author', 'month'])(
  'groups findings by %s and narrows the list to one group',
  async (grouping) => {
    const id = await storePlan('A');
    await storePlan('B', 'q');
    const { groups } = (await folder.send('GET', `/app/quality/groups?rule=${rule}&by=${grouping}`)).json;
    const month = dayAt(0).slice(0, 7);
    const keys = { record: `CarePlan/${id}`, patient: 'p', rule, month, source: 'urn:p', author: owner.name };
    const key = keys[grouping as keyof typeof keys];
    const common = ['rule', 'author', 'month'].includes(grouping);
    const counts = { records: common ? 2 : 1, findings: common ? 2 : 1 };
    const shared = !['record', 'rule'].includes(grouping);
    expect(groups).toContainEqual({ key, ...counts, ...(shared && { all: counts.records }) });
    const unsized = (await folder.send('GET', `/app/quality/groups?rule=${rule}&by=${grouping}&all=false`))
      .json;
    expect(unsized.groups).toContainEqual({ key, ...counts });
    const groupFindings = await listFindings(`group=${encodeURIComponent(`${grouping}:${key}`)}`);
    expect(groupFindings).toHaveLength(common ? 2 : 1);
    expect(groupFindings[0]).toMatchObject({ id });
    expect(await listFindings(`group=${grouping}:nothing`)).toEqual([]);
  },
);
