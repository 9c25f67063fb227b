import { afterEach, beforeEach, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const plans = '/fhir-r4/v1/CarePlan';
const canary = 'Quokka-7713';
const describedMembers = `,"identifier":[{"system":"urn:x","value":"K-1"}],"title":"${canary}","note":[{"text":"${canary}"}]`;

async function create(extra = describedMembers): Promise<string> {
  const { status, json } = await server.send('POST', plans, carePlan('Patient/p', extra));
  expect(status).toBe(201);
  return String(json.id);
}

const erase = (id: string, reason = 'asked for by the patient') =>
  server.send('POST', '/app/erasures', JSON.stringify({ type: 'CarePlan', id, reason }));

test.each([
  ['read', 'GET', ''],
  ['vread', 'GET', '/_history/1'],
  ['history', 'GET', '/_history'],
  ['update', 'PUT', '', carePlan('Patient/p')],
  ['patch', 'PATCH', '', '[{"op":"replace","path":"/status","value":"completed"}]'],
])(
  'returns 410 deleted without an ETag for %s of an erased record',
  async (_, method, suffix, body?: string) => {
    const id = await create();
    expect((await erase(id)).status).toBe(201);
    const media: Record<string, string> =
      method === 'PATCH' ? { 'Content-Type': 'application/json-patch+json' } : {};
    const answer = await server.send(method, `${plans}/${id}${suffix}`, body, media);
    expect(answer).toMatchObject({
      status: 410,
      json: { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'deleted' }] },
    });
    expect(answer.headers.get('ETag')).toBeNull();
  },
);

test('hides an erased record from searches, type histories and If-None-Exist', async () => {
  const otherId = await create(',"title":"Other"');
  const id = await create();
  const search = () => server.send('GET', `${plans}?subject=Patient/p`);
  expect((await search()).json.total).toBe(2);
  await erase(id);
  const { json } = await search();
  expect([json.total, json.entry.map((entry: { resource: { id: string } }) => entry.resource.id)]).toEqual([
    1,
    [otherId],
  ]);
  expect((await server.send('GET', `${plans}/_history`)).text).not.toContain(id);
  expect((await server.send('GET', '/app/overview')).json.counts.CarePlan).toBe(1);
  const newRecord = await server.send('POST', plans, carePlan('Patient/p', describedMembers), {
    'If-None-Exist': 'identifier=urn:x|K-1',
  });
  expect(newRecord.status).toBe(201);
  expect(newRecord.json.id).not.toBe(id);
});
