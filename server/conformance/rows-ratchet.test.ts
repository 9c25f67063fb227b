/** Row 13a of docs/api-rows.md: a record with old errors can be corrected one error at a time. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pageFolder } from '../serve.ts';
import { startServer, type RunningServer } from '../start.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, replace, sample, store } from './testing/records.ts';

/** Two errors: a code outside its binding, and a broken invariant. */
const wrong = { status: 'done', period: { start: '2026-02-01', end: '2026-01-01' } };

let lenientServer: TestServer;
let standardServer: RunningServer;
const paths: string[] = [];
let path: string;

beforeAll(async () => {
  lenientServer = await startTestServer({ validation: 'off' });
  for (let index = 0; index < 12; index += 1)
    paths.push((await store(lenientServer, 'CarePlan', wrong)).path);
  await lenientServer.close();
  const log = (line: string) => {
    throw new Error(line);
  };
  standardServer = await startServer({
    dataDir: lenientServer.dataDir,
    port: 0,
    token: lenientServer.token,
    pageFolder,
    log,
  });
});
beforeEach(() => {
  path = paths.pop() ?? '';
});
afterAll(async () => {
  await standardServer.close();
  await rm(lenientServer.dataDir, { recursive: true, force: true });
});

async function send(method: string, body: string): Promise<Json> {
  const answer = await fetch(standardServer.origin + path, {
    method,
    headers: { Authorization: `Bearer ${lenientServer.token}`, 'Content-Type': 'application/json' },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
}

const update = (members: Json) => send('PUT', JSON.stringify(sample('CarePlan', members)));

test('accepts PUTs that correct one of two errors, then the other', async () => {
  const partialFix = await update({ ...wrong, status: 'active' });
  expect([partialFix.status, partialFix.headers.get('etag')]).toEqual([200, 'W/"2"']);
  expect((await update({})).status).toBe(200);
});

test('accepts PATCHes that correct one of two errors, then the other', async () => {
  expect((await send('PATCH', replace('/status', 'active'))).status).toBe(200);
  expect((await send('PATCH', replace('/period/end', '2026-03-01'))).status).toBe(200);
});

test('accepts a change of another element that leaves both errors', async () => {
  expect((await update({ ...wrong, title: 'a' })).status).toBe(200);
  expect((await send('PATCH', replace('/title', 'b'))).status).toBe(200);
});

test('rejects a PUT that adds an error, and reports only that error', async () => {
  const answer = await update({ ...wrong, intent: 'wish' });
  expectRejection(answer, { status: 400, code: 'code-invalid', expression: 'CarePlan.intent' });
  expect(answer.json.issue).toHaveLength(1);
});

test('rejects a PATCH that adds an error, and reports only that error', async () => {
  const answer = await send('PATCH', replace('/intent', 'wish'));
  expectRejection(answer, { status: 422, code: 'code-invalid', expression: 'CarePlan.intent' });
  expect(answer.json.issue).toHaveLength(1);
});

test('treats the same broken rule at another element as an added error', async () => {
  const activity = [{ detail: { status: 'done' } }];
  const answer = await update({ ...wrong, activity });
  expectRejection(answer, {
    status: 400,
    code: 'code-invalid',
    expression: 'CarePlan.activity[0].detail.status',
  });
});

test('rejects an update that restores a corrected error', async () => {
  await update({ ...wrong, status: 'active' });
  expectRejection(await update(wrong), { status: 400, code: 'code-invalid', expression: 'CarePlan.status' });
});

test('rejects a new record with the errors', async () => {
  path = toPath('CarePlan');
  expect((await send('POST', JSON.stringify(sample('CarePlan', wrong)))).status).toBe(400);
});
