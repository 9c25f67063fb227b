import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryPage } from '../../core/app/history.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

async function create(): Promise<string> {
  const createResponse = await server.send(
    'POST',
    '/fhir-r4/v1/CarePlan',
    carePlan('Patient/history', ',"title":"A"'),
  );
  return createResponse.json.id;
}

const replace = (path: string, value: unknown) => JSON.stringify([{ op: 'replace', path, value }]);

async function readPage(path: string): Promise<HistoryPage> {
  const { json } = await server.send('GET', path);
  if (!matchesSchema(HistoryPage, json)) throw new Error('not a page of a history');
  return json;
}

test('reports author, operation and changes of each version', async () => {
  const id = await create();
  const { token } = await createClientToken(server, ['system/*.*']);
  const address = `/fhir-r4/v1/CarePlan/${id}`;
  await sendAs(server, `Bearer ${token}`, 'PATCH', address, replace('/title', 'B'));
  const changedPlan = carePlan(
    'Patient/other',
    `,"id":"${id}","title":"C","description":"D","language":"en"`,
  );
  await server.send('PUT', address, changedPlan);
  const { total, versions, next } = await readPage(`/app/history/CarePlan/${id}`);
  expect({ total, next }).toEqual({ total: 3, next: undefined });
  expect(versions).toMatchObject([
    {
      version: 3,
      operation: 'update',
      changes: 4,
      paths: ['/subject/reference', '/title', '/description'],
    },
    { version: 2, operation: 'patch', author: 'test', changes: 1, paths: ['/title'] },
    { version: 1, operation: 'create', changes: 0, paths: [] },
  ]);
});

const goal = (id: string) =>
  `{"resourceType":"Goal","id":"${id}","lifecycleStatus":"active","subject":{"reference":"Patient/history"},"description":{"text":"Goal ${id}"}}`;

test('reports a removed contained resource as one change although others move', async () => {
  const record = (ids: readonly string[], furtherMembers = '') => {
    const references = ids.map((id) => `{"reference":"#${id}"}`);
    return carePlan(
      'Patient/history',
      `${furtherMembers},"contained":[${ids.map(goal).join()}],"goal":[${references.join()}]`,
    );
  };
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', record(['a', 'b', 'c']));
  await server.send('PUT', `/fhir-r4/v1/CarePlan/${json.id}`, record(['b', 'c'], `,"id":"${json.id}"`));
  const { versions } = await readPage(`/app/history/CarePlan/${json.id}`);
  expect(versions[0]).toMatchObject({
    version: 2,
    changes: 2,
    paths: ['/contained/0', '/goal/0'],
    named: [
      { kind: 'removed', pointer: '/contained/0', title: 'Goal Goal a' },
      { kind: 'removed', pointer: '/goal/0', title: '#a' },
    ],
  });
});

test('pages through a long history once per version, compared across pages', async () => {
  const id = await create();
  for (let number = 2; number <= 7; number += 1) {
    await server.send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, replace('/title', `Version ${number}`));
  }
  const seenVersions: number[] = [];
  const changes: number[] = [];
  let query = '?count=3';
  for (;;) {
    const { total, versions, next } = await readPage(`/app/history/CarePlan/${id}${query}`);
    expect(total).toBe(7);
    seenVersions.push(...versions.map(({ version }) => version));
    changes.push(...versions.map((entry) => entry.changes));
    if (next === undefined) break;
    query = `?count=3&page=${encodeURIComponent(next)}`;
  }
  expect(seenVersions).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(changes).toEqual([1, 1, 1, 1, 1, 1, 0]);
});

test('rejects an unknown record with 404 and an unknown parameter with 400', async () => {
  const id = await create();
  expect((await server.send('GET', '/app/history/CarePlan/nobody')).status).toBe(404);
  expect((await server.send('GET', `/app/history/Patient/${id}`)).status).toBe(404);
  expect((await server.send('GET', `/app/history/CarePlan/${id}?page=x`)).status).toBe(400);
  expect((await server.send('GET', `/app/history/CarePlan/${id}?sort=x`)).status).toBe(400);
});
