import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientToken } from '../testing/tokens.ts';
import { carePlan, sendTo, startTestServer, type TestServer } from '../testing/test-server.ts';

const canary = 'canary-5e0c';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ metrics: true });
});
afterAll(() => server.remove());

/** Returns the number of requests with these labels. */
async function countOf(labels: string): Promise<number> {
  const { text } = await server.send('GET', '/metrics');
  const line = text
    .split('\n')
    .find((metricLine) => metricLine.startsWith(`chartkeeper_request_duration_seconds_count{${labels}}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('counts and times requests by method, route and status', async () => {
  const path = '/fhir-r4/v1/CarePlan';
  const createResponse = await server.send('POST', path, carePlan('Patient/p'));
  const { id } = createResponse.json;
  for (const planId of [id, id, 'none']) await server.send('GET', `${path}/${planId}`);
  await server.send('GET', `${path}?subject=Patient/p`);
  const labels = (method: string, route: string, status: number) =>
    `method="${method}",route="/fhir-r4/v1/${route}",status="${status}"`;
  // A response is counted after it is complete.
  await expect.poll(() => countOf(labels('GET', ':type', 200))).toBe(1);
  expect(await countOf(labels('POST', ':type', 201))).toBe(1);
  expect(await countOf(labels('GET', ':type/:id', 200))).toBe(2);
  expect(await countOf(labels('GET', ':type/:id', 404))).toBe(1);
});

test('serves Prometheus text with metrics of the process and pending responses', async () => {
  const { status, headers, text } = await server.send('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  for (const line of text.split('\n').filter((metricLine) => metricLine !== ''))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_:0-9]+ .+|[a-z_:0-9]+(?:\{.+\})? (?:[0-9.e+-]+|NaN|\+Inf))$/i,
    );
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_seconds',
    'chartkeeper_answers_held_bytes',
  ])
    expect(text).toContain(`# TYPE ${name} `);
});

test('contains no text that a client sends', async () => {
  await server.send('GET', `/fhir-r4/v1/CarePlan/${canary}`);
  await server.send('GET', `/fhir-r4/v1/CarePlan?subject=${canary}`);
  await server.send('PROPFIND', `/${canary}`, undefined, { 'User-Agent': canary, 'X-Request-Id': canary });
  await expect.poll(() => countOf('method="other",route="/*",status="404"')).toBe(1);
  const { text } = await server.send('GET', '/metrics');
  expect(text).not.toContain(canary);
  expect(text).not.toContain(server.token);
});

test('requires a token of any scope', async () => {
  const { token } = await createClientToken(server, ['system/CarePlan.r']);
  expect((await sendTo(server.origin, `Bearer ${token}`, 'GET', '/metrics')).status).toBe(200);
  expect((await sendTo(server.origin, undefined, 'GET', '/metrics')).status).toBe(401);
});

test('returns 404 without the setting', async () => {
  const defaultServer = await startTestServer();
  expect((await defaultServer.send('GET', '/metrics')).status).toBe(404);
  await defaultServer.remove();
});
