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

/** Returns the lines of a request. A line follows the complete response. */
async function listLines(send: () => Promise<unknown>, count = 1): Promise<string[]> {
  lines.length = 0;
  await send();
  await expect.poll(() => lines.length).toBe(count);
  return [...lines];
}

const uuid = '[0-9a-f-]{36}';
const linePattern = (start: string, token: string) =>
  new RegExp(`^${start} [0-9.]+ ms [0-9]+ bytes token ${token} request ${uuid}$`);

test('logs method, route template, status, time, bytes, token and request', async () => {
  const base = '/fhir-r4/v1';
  const { json } = await server.send('POST', `${base}/CarePlan`, carePlan('Patient/p'));
  const requests: [string, string, RegExp][] = [
    ['GET', `${base}/CarePlan/${json.id}`, linePattern('GET /fhir-r4/v1/:type/:id 200', 'owner')],
    ['GET', `${base}/CarePlan?subject=${canary}`, linePattern('GET /fhir-r4/v1/:type 200', 'owner')],
    ['GET', `${base}/CarePlan/a/b/c/${canary}`, linePattern('GET /fhir-r4/v1/\\* 404', 'owner')],
    ['GET', '/app/overview', linePattern('GET /app/overview 200', 'owner')],
    [
      'GET',
      `/app/connections/${canary}/fhir-r4/v1/CarePlan/${canary}`,
      linePattern('GET /app/connections/:id/fhir-r4/v1/:type/:id 404', 'owner'),
    ],
    ['GET', `/app/${canary}`, linePattern('GET /app/\\* 404', 'owner')],
    ['GET', `/${canary}`, linePattern('GET /\\* 404', 'owner')],
  ];
  for (const [method, path, line] of requests) {
    const [loggedLine = ''] = await listLines(() => server.send(method, path));
    expect(loggedLine).toMatch(line);
  }
  const [rejectedLine = ''] = await listLines(() => fetch(`${server.origin}${base}/CarePlan`));
  expect(rejectedLine).toMatch(linePattern('GET /fhir-r4/v1/:type 401', '-'));
});

test('logs an undecodable address and continues', async () => {
  for (const path of [
    '/fhir-r4/v1/CarePlan/%',
    '/app/connections/x/fhir-r4/v1/CarePlan/%ff',
    '/app/%',
    '/%',
  ]) {
    const [loggedLine = ''] = await listLines(() => fetch(`${server.origin}${path}`));
    expect(loggedLine).toMatch(/^GET \S+ 400 /);
  }
});

test('logs no text that a client sends', async () => {
  const id = `${canary}-${randomUUID()}`;
  const headers = {
    'If-Match': `W/"${canary}"`,
    'If-None-Exist': `identifier=${canary}`,
    Prefer: canary,
    'User-Agent': canary,
    'X-Request-Id': canary,
    Cookie: `a=${canary}`,
  };
  const loggedLines = await listLines(async () => {
    await server.send('PUT', `/fhir-r4/v1/CarePlan/${id}?_format=json`, carePlan(canary), headers);
    await server.send('POST', `/fhir-r4/v1/CarePlan`, `{"title":"${canary}`, headers);
    await server.send('POST', `/fhir-r4/v1/CarePlan`, carePlan(canary, `,"title":"${canary}"`), headers);
    await server.send('PATCH', `/fhir-r4/v1/CarePlan/${id}`, `[{"op":"${canary}"}]`, headers);
    await server.send('GET', `/fhir-r4/v1/CarePlan?subject=${canary}&${canary}=1`, undefined, headers);
    await fetch(`${server.origin}/fhir-r4/v1/CarePlan`, { headers: { Authorization: `Bearer ${canary}` } });
  }, 6);
  expect(loggedLines.join('\n')).not.toContain(canary);
  expect(loggedLines.join('\n')).not.toContain(server.token);
  for (const file of await readdir(server.dataDir)) {
    if (!file.startsWith('workspace')) continue;
    expect(await readFile(join(server.dataDir, file), 'latin1')).not.toContain(canary);
  }
});

test('logs the bytes of a streamed response', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
  let text = '';
  const [loggedLine = ''] = await listLines(async () => {
    text = (await server.send('GET', '/app/export')).text;
  });
  expect(text).toContain('Patient/p');
  expect(loggedLine).toMatch(new RegExp(`^GET /app/export 200 [0-9.]+ ms ${Buffer.byteLength(text)} bytes`));
});
