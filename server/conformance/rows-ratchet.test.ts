/** Row 13a: a record that was wrong before may be mended one fault at a time. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer } from '../start.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, replace, sample, store } from './testing/records.ts';

/** Two faults: a code outside its binding, and a broken invariant. */
const wrong = { status: 'done', period: { start: '2026-02-01', end: '2026-01-01' } };

let lax: TestServer;
let standard: RunningServer;
const paths: string[] = [];
let path: string;

beforeAll(async () => {
  lax = await startTestServer({ validation: 'off' });
  for (let index = 0; index < 12; index += 1) paths.push((await store(lax, 'CarePlan', wrong)).path);
  await lax.close();
  const log = (line: string) => {
    throw new Error(line);
  };
  standard = await startServer({ dataDir: lax.dataDir, port: 0, token: lax.token, pageFolder, log });
});
beforeEach(() => {
  path = paths.pop() ?? '';
});
afterAll(async () => {
  await standard.close();
  await rm(lax.dataDir, { recursive: true, force: true });
});

async function send(method: string, body: string): Promise<Json> {
  const answer = await fetch(standard.origin + path, {
    method,
    headers: { Authorization: `Bearer ${lax.token}`, 'Content-Type': 'application/json' },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
}

const put = (members: Json) => send('PUT', JSON.stringify(sample('CarePlan', members)));

test('row 13a: a PUT that mends one of two faults succeeds, then the other', async () => {
  const half = await put({ ...wrong, status: 'active' });
  expect([half.status, half.headers.get('etag')]).toEqual([200, 'W/"2"']);
  expect((await put({})).status).toBe(200);
});

test('row 13a: a PATCH that mends one of two faults succeeds, then the other', async () => {
  expect((await send('PATCH', replace('/status', 'active'))).status).toBe(200);
  expect((await send('PATCH', replace('/period/end', '2026-03-01'))).status).toBe(200);
});

test('row 13a: an update that leaves both faults and changes another element succeeds', async () => {
  expect((await put({ ...wrong, title: 'a' })).status).toBe(200);
  expect((await send('PATCH', replace('/title', 'b'))).status).toBe(200);
});

test('row 13a: a PUT that adds an error is refused for that error alone', async () => {
  const answer = await put({ ...wrong, intent: 'wish' });
  expectRefusal(answer, { status: 400, code: 'code-invalid', expression: 'CarePlan.intent' });
  expect(answer.json.issue).toHaveLength(1);
});

test('row 13a: a PATCH that adds an error is refused for that error alone', async () => {
  const answer = await send('PATCH', replace('/intent', 'wish'));
  expectRefusal(answer, { status: 422, code: 'code-invalid', expression: 'CarePlan.intent' });
  expect(answer.json.issue).toHaveLength(1);
});

test('row 13a: the same rule broken at another element is an added error', async () => {
  const activity = [{ detail: { status: 'done' } }];
  const answer = await put({ ...wrong, activity });
  expectRefusal(answer, {
    status: 400,
    code: 'code-invalid',
    expression: 'CarePlan.activity[0].detail.status',
  });
});

test('row 13a: what was mended may not be broken again', async () => {
  await put({ ...wrong, status: 'active' });
  expectRefusal(await put(wrong), { status: 400, code: 'code-invalid', expression: 'CarePlan.status' });
});

test('row 13a: a new record gets no such leave', async () => {
  path = at('CarePlan');
  expect((await send('POST', JSON.stringify(sample('CarePlan', wrong)))).status).toBe(400);
});
