import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadTraining } from '../import/load-training.ts';
import {
  carePlan,
  onSharedStore,
  startTestServer,
  type Json,
  type TestServer,
} from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** Not run on a shared store, which has no demo and training data. */
const testLocal = test.skipIf(onSharedStore);

testLocal('the overview counts records, and the demo loads once', async () => {
  expect((await server.send('GET', '/app/overview')).json).toMatchObject({
    counts: { CarePlan: 0, Composition: 0 },
    subjects: [],
  });
  const { stored: storedCount, unchanged } = (await server.send('POST', '/app/demo')).json;
  expect(storedCount).toBeGreaterThan(1000);
  expect(unchanged).toBe(0);
  const overview = (await server.send('GET', '/app/overview')).json;
  expect(Number(overview.counts.CarePlan) + Number(overview.counts.Composition)).toBe(storedCount);
  expect(overview.subjects[0].records).toBeGreaterThan(0);
  expect((await server.send('POST', '/app/demo')).json).toEqual({ stored: 0, unchanged: storedCount });
});

testLocal('a demo record that was edited stays as it is when the demo is loaded again', async () => {
  await server.send('POST', '/app/demo');
  const { entry } = (await server.send('GET', '/fhir-r4/v1/Composition?_count=1')).json;
  const address = `/fhir-r4/v1/Composition/${entry[0].resource.id}`;
  await server.send('PATCH', address, '[{"op":"replace","path":"/title","value":"Mine"}]');
  await server.send('POST', '/app/demo');
  expect((await server.send('GET', address)).json.title).toBe('Mine');
});

test('updates the records overview with each write', async () => {
  const ownServer = await startTestServer();
  onTestFinished(() => ownServer.remove());
  const since = new Date(Date.now() - 1000).toISOString();
  const overviewPath = `/app/overview/records?since=${since}`;
  const plan = (status: string, title: string) =>
    JSON.stringify({
      resourceType: 'CarePlan',
      status,
      intent: 'plan',
      title,
      subject: { reference: 'Patient/p1', display: 'Ada Example' },
    });
  expect((await ownServer.send('GET', overviewPath)).json).toEqual({
    statuses: { CarePlan: {}, Composition: {} },
    changed: { records: 0, versions: 0, more: false, changes: [] },
    patients: [],
  });
  const createResponse = await ownServer.send(
    'POST',
    '/fhir-r4/v1/CarePlan',
    plan('active', 'Diabetes plan'),
  );
  await ownServer.send('POST', '/fhir-r4/v1/CarePlan', plan('active', 'Wound care'));
  expect((await ownServer.send('GET', overviewPath)).json.statuses.CarePlan).toEqual({ active: 2 });
  const operation = '[{"op":"replace","path":"/status","value":"completed"}]';
  await ownServer.send('PATCH', `/fhir-r4/v1/CarePlan/${createResponse.json.id}`, operation);
  const { statuses, changed: changeSummary, patients } = (await ownServer.send('GET', overviewPath)).json;
  expect(statuses.CarePlan).toEqual({ active: 1, completed: 1 });
  expect(changeSummary).toMatchObject({ records: 2, versions: 3 });
  expect(changeSummary.changes[0]).toMatchObject({
    operation: 'patch',
    versions: 1,
    record: { title: 'Diabetes plan' },
  });
  expect(patients).toMatchObject([
    { id: 'p1', name: 'Ada Example', records: { CarePlan: 2, Composition: 0 } },
  ]);
  const laterOverview = await ownServer.send(
    'GET',
    `/app/overview/records?since=${new Date(Date.now() + 60_000).toISOString()}`,
  );
  expect(laterOverview.json.changed.versions).toBe(0);
  for (const query of ['', '?since=2020-01-01T00:00:00Z&more=1', '?since=yesterday'])
    expect((await ownServer.send('GET', `/app/overview/records${query}`)).status).toBe(400);
});

test('counts changed records once across saves and imports', async () => {
  const ownServer = await startTestServer({ validation: 'off' });
  onTestFinished(() => ownServer.remove());
  const planOf = (id: number, title = 'Plan') =>
    JSON.stringify({ ...(JSON.parse(carePlan('Patient/1')) as object), id: `plan-${id}`, title });
  const lines = Array.from({ length: 2036 }, (_, id) => planOf(id)).join('\n');
  const ndjson = { 'Content-Type': 'application/x-ndjson' };
  await ownServer.send('POST', '/app/import?level=off&keepIds=true', lines, ndjson);
  for (const [saves, title] of [17, 17, 1].map((count, run) => [count, `Plan ${run}`] as const)) {
    for (let id = 0; id < saves; id += 1) {
      const planPath = `/fhir-r4/v1/CarePlan/plan-${title === 'Plan 2' ? 17 : id}`;
      const done = await ownServer.send('PUT', planPath, planOf(title === 'Plan 2' ? 17 : id, title));
      expect(done.status).toBe(200);
    }
  }
  const { changed: changeSummary } = (
    await ownServer.send('GET', '/app/overview/records?since=2020-01-01T00:00:00Z')
  ).json;
  expect(changeSummary).toMatchObject({ records: 2036, versions: 2071, more: false });
  expect(
    changeSummary.changes.map(({ operation, records, versions }: Json) => [operation, records, versions]),
  ).toEqual([
    ['update', 18, 35],
    ['import', 2036, 2036],
  ]);
});

test('reports one change for many records of one import', async () => {
  const ownServer = await startTestServer();
  onTestFinished(() => ownServer.remove());
  await loadTraining(ownServer.service, 'clean', { author: 'test', seed: 1 });
  const { changed: changeSummary, statuses } = (
    await ownServer.send('GET', '/app/overview/records?since=2020-01-01T00:00:00Z')
  ).json;
  expect(changeSummary.changes).toHaveLength(1);
  expect(changeSummary.changes[0].versions).toBe(changeSummary.versions);
  const counts = (await ownServer.send('GET', '/app/overview')).json.counts;
  for (const type of ['CarePlan', 'Composition']) {
    const statusTotal = Object.values<number>(statuses[type]).reduce((sum, count) => sum + count, 0);
    expect(statusTotal).toBe(counts[type]);
  }
});
