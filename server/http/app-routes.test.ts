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

/** Not run over a shared store: demo and training are a data folder's own. */
const ofFolder = test.skipIf(onSharedStore);

ofFolder('the overview counts records, and the demo loads once', async () => {
  expect((await server.send('GET', '/app/overview')).json).toMatchObject({
    counts: { CarePlan: 0, Composition: 0 },
    subjects: [],
  });
  const { stored, unchanged } = (await server.send('POST', '/app/demo')).json;
  expect(stored).toBeGreaterThan(1000);
  expect(unchanged).toBe(0);
  const overview = (await server.send('GET', '/app/overview')).json;
  expect(Number(overview.counts.CarePlan) + Number(overview.counts.Composition)).toBe(stored);
  expect(overview.subjects[0].records).toBeGreaterThan(0);
  expect((await server.send('POST', '/app/demo')).json).toEqual({ stored: 0, unchanged: stored });
});

ofFolder('a demo record that was edited stays as it is when the demo is loaded again', async () => {
  await server.send('POST', '/app/demo');
  const { entry } = (await server.send('GET', '/fhir-r4/v1/Composition?_count=1')).json;
  const address = `/fhir-r4/v1/Composition/${entry[0].resource.id}`;
  await server.send('PATCH', address, '[{"op":"replace","path":"/title","value":"Mine"}]');
  await server.send('POST', '/app/demo');
  expect((await server.send('GET', address)).json.title).toBe('Mine');
});

test('the overview of the records follows each write: statuses, changes, patients by name', async () => {
  const own = await startTestServer();
  onTestFinished(() => own.remove());
  const begun = new Date(Date.now() - 1000).toISOString();
  const at = `/app/overview/records?since=${begun}`;
  const plan = (status: string, title: string) =>
    JSON.stringify({
      ...{ resourceType: 'CarePlan', status, intent: 'plan', title },
      subject: { reference: 'Patient/p1', display: 'Ada Example' },
    });
  expect((await own.send('GET', at)).json).toEqual({
    statuses: { CarePlan: {}, Composition: {} },
    changed: { records: 0, versions: 0, more: false, changes: [] },
    patients: [],
  });
  const made = await own.send('POST', '/fhir-r4/v1/CarePlan', plan('active', 'Diabetes plan'));
  await own.send('POST', '/fhir-r4/v1/CarePlan', plan('active', 'Wound care'));
  expect((await own.send('GET', at)).json.statuses.CarePlan).toEqual({ active: 2 });
  const operation = '[{"op":"replace","path":"/status","value":"completed"}]';
  await own.send('PATCH', `/fhir-r4/v1/CarePlan/${made.json.id}`, operation);
  const { statuses, changed, patients } = (await own.send('GET', at)).json;
  expect(statuses.CarePlan).toEqual({ active: 1, completed: 1 });
  expect(changed).toMatchObject({ records: 2, versions: 3 });
  expect(changed.changes[0]).toMatchObject({
    operation: 'patch',
    versions: 1,
    record: { title: 'Diabetes plan' },
  });
  expect(patients).toMatchObject([
    { id: 'p1', name: 'Ada Example', records: { CarePlan: 2, Composition: 0 } },
  ]);
  const later = await own.send(
    'GET',
    `/app/overview/records?since=${new Date(Date.now() + 60_000).toISOString()}`,
  );
  expect(later.json.changed.versions).toBe(0);
  for (const query of ['', '?since=2020-01-01T00:00:00Z&more=1', '?since=yesterday'])
    expect((await own.send('GET', `/app/overview/records${query}`)).status).toBe(400);
});

test('what changed is counted by distinct records, however often each was saved, and however many were imported', async () => {
  const own = await startTestServer({ validation: 'off' });
  onTestFinished(() => own.remove());
  const planOf = (id: number, title = 'Plan') =>
    JSON.stringify({ ...(JSON.parse(carePlan('Patient/1')) as object), id: `plan-${id}`, title });
  const lines = Array.from({ length: 2036 }, (_, id) => planOf(id)).join('\n');
  const ndjson = { 'Content-Type': 'application/x-ndjson' };
  await own.send('POST', '/app/import?level=off&keepIds=true', lines, ndjson);
  for (const [saves, title] of [17, 17, 1].map((count, run) => [count, `Plan ${run}`] as const)) {
    for (let id = 0; id < saves; id += 1) {
      const at = `/fhir-r4/v1/CarePlan/plan-${title === 'Plan 2' ? 17 : id}`;
      const done = await own.send('PUT', at, planOf(title === 'Plan 2' ? 17 : id, title));
      expect(done.status).toBe(200);
    }
  }
  const { changed } = (await own.send('GET', '/app/overview/records?since=2020-01-01T00:00:00Z')).json;
  expect(changed).toMatchObject({ records: 2036, versions: 2071, more: false });
  expect(
    changed.changes.map(({ operation, records, versions }: Json) => [operation, records, versions]),
  ).toEqual([
    ['update', 18, 35],
    ['import', 2036, 2036],
  ]);
});

test('many records that one imports are one change', async () => {
  const own = await startTestServer();
  onTestFinished(() => own.remove());
  await loadTraining(own.service, 'clean', { author: 'test', seed: 1 });
  const { changed, statuses } = (await own.send('GET', '/app/overview/records?since=2020-01-01T00:00:00Z'))
    .json;
  expect(changed.changes).toHaveLength(1);
  expect(changed.changes[0].versions).toBe(changed.versions);
  const counts = (await own.send('GET', '/app/overview')).json.counts;
  for (const type of ['CarePlan', 'Composition']) {
    const all = Object.values<number>(statuses[type]).reduce((sum, count) => sum + count, 0);
    expect(all).toBe(counts[type]);
  }
});
