import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

test('the overview counts records, and the demo loads once', async () => {
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

test('a demo record that was edited stays as it is when the demo is loaded again', async () => {
  await server.send('POST', '/app/demo');
  const { entry } = (await server.send('GET', '/fhir-r4/v1/Composition?_count=1')).json;
  const address = `/fhir-r4/v1/Composition/${entry[0].resource.id}`;
  await server.send('PATCH', address, '[{"op":"replace","path":"/title","value":"Mine"}]');
  await server.send('POST', '/app/demo');
  expect((await server.send('GET', address)).json.title).toBe('Mine');
});
