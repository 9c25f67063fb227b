import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

const canary = 'canary-7d1f';
const lines: string[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ logRequests: true }, (line) => lines.push(line));
});
afterAll(() => server.remove());

/** The lines of what was sent; an answer's line is written once it is through. */
async function linesOf(send: () => Promise<unknown>, count = 1): Promise<string[]> {
  lines.length = 0;
  await send();
  await expect.poll(() => lines.length).toBe(count);
  return [...lines];
}

const uuid = '[0-9a-f-]{36}';
const lineOf = (start: string, token: string) =>
  new RegExp(`^${start} [0-9.]+ ms [0-9]+ bytes token ${token} request ${uuid}$`);

test('item 6: a line names method, route template, status, time, bytes, token and request', async () => {
  const base = '/fhir-r4/v1';
  const { json } = await server.send('POST', `${base}/CarePlan`, carePlan('Patient/p'));
  const sent: [string, string, RegExp][] = [
    ['GET', `${base}/CarePlan/${json.id}`, lineOf('GET /fhir-r4/v1/:type/:id 200', 'owner')],
    ['GET', `${base}/CarePlan?subject=${canary}`, lineOf('GET /fhir-r4/v1/:type 200', 'owner')],
    ['GET', `${base}/CarePlan/a/b/c/${canary}`, lineOf('GET /fhir-r4/v1/\\* 404', 'owner')],
    ['GET', '/app/overview', lineOf('GET /app/overview 200', 'owner')],
    [
      'GET',
      `/app/connections/${canary}/fhir-r4/v1/CarePlan/${canary}`,
      lineOf('GET /app/connections/:id/fhir-r4/v1/:type/:id 404', 'owner'),
    ],
    ['GET', `/app/${canary}`, lineOf('GET /app/\\* 404', 'owner')],
    ['GET', `/${canary}`, lineOf('GET /\\* 404', 'owner')],
  ];
  for (const [method, path, line] of sent) {
    const [written = ''] = await linesOf(() => server.send(method, path));
    expect(written).toMatch(line);
  }
  const [refused = ''] = await linesOf(() => fetch(`${server.origin}${base}/CarePlan`));
  expect(refused).toMatch(lineOf('GET /fhir-r4/v1/:type 401', '-'));
});

test('item 6: an address that cannot be decoded leaves its line, and the server goes on', async () => {
  for (const path of [
    '/fhir-r4/v1/CarePlan/%',
    '/app/connections/x/fhir-r4/v1/CarePlan/%ff',
    '/app/%',
    '/%',
  ]) {
    const [written = ''] = await linesOf(() => fetch(`${server.origin}${path}`));
    expect(written).toMatch(/^GET \S+ 400 /);
  }
});

test('item 6: nothing that a client sends stands in the log', async () => {
  const id = `${canary}-${randomUUID()}`;
  const headers = {
    'If-Match': `W/"${canary}"`,
    'If-None-Exist': `identifier=${canary}`,
    Prefer: canary,
    'User-Agent': canary,
    'X-Request-Id': canary,
    Cookie: `a=${canary}`,
  };
  const written = await linesOf(async () => {
    await server.send('PUT', `/fhir-r4/v1/CarePlan/${id}?_format=json`, carePlan(canary), headers);
    await server.send('POST', `/fhir-r4/v1/CarePlan`, `{"title":"${canary}`, headers);
    await server.send('POST', `/fhir-r4/v1/CarePlan`, carePlan(canary, `,"title":"${canary}"`), headers);
    await server.send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, `[{"op":"${canary}"}]`, headers);
    await server.send('GET', `/fhir-r4/v1/CarePlan?subject=${canary}&${canary}=1`, undefined, headers);
    await fetch(`${server.origin}/fhir-r4/v1/CarePlan`, { headers: { Authorization: `Bearer ${canary}` } });
  }, 6);
  expect(written.join('\n')).not.toContain(canary);
  expect(written.join('\n')).not.toContain(server.token);
  for (const file of await readdir(server.dataDir)) {
    if (!file.startsWith('workspace')) continue;
    expect(await readFile(join(server.dataDir, file), 'latin1')).not.toContain(canary);
  }
});
