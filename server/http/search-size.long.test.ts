import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../core/api/contract.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const root = '/fhir-r4/v1';

async function store(note: readonly object[]): Promise<void> {
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan' };
  const body = JSON.stringify({ ...plan, subject: { reference: 'Patient/r57-large' }, note });
  expect((await server.send('POST', `${root}/CarePlan`, body)).status).toBe(201);
}

// Row 57 of docs/api-rows.md.
test('shortens pages that exceed the size of a response', async () => {
  const note = Array.from({ length: 5 }, () => ({ text: 'x'.repeat(1e6) }));
  const records = Math.ceil(limits.answer / 5e6);
  for (let index = 0; index < records; index += 1) await store(note);
  const searchAll = 'CarePlan?subject=r57-large';
  const history = await server.send('GET', `${root}/CarePlan/_history?_count=1000`);
  expect(history.json.total).toBe(records);
  expect(history.json.entry).toHaveLength(records - 1);
  const { json } = await server.send('GET', `${root}/${searchAll}&_count=1000`);
  expect(json).toMatchObject({ total: records });
  expect(json.entry).toHaveLength(records - 1);
  const next = json.link.find(({ relation }: Json) => relation === 'next').url;
  const lastPage = await server.send('GET', next.slice(server.origin.length));
  expect(lastPage.json.entry).toHaveLength(1);
  const ids = [...json.entry, ...lastPage.json.entry].map(({ resource }: Json) => resource.id);
  expect(new Set(ids).size).toBe(records);
});
