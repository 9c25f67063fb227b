import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActivityPage } from '../../core/app/activity.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { createToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const workbenchHeaders = { 'X-Chartkeeper-Client': 'workbench' };
const readActivity = async (query = '') => {
  const { json } = await server.send('GET', `/app/activity${query}`);
  expect(matchesSchema(ActivityPage, json)).toBe(true);
  return json;
};

test('logs a search, a create, an update and a rejected update with details', async () => {
  const createResponse = await server.send(
    'POST',
    '/fhir-r4/v1/CarePlan',
    carePlan('Patient/1'),
    workbenchHeaders,
  );
  const { id } = createResponse.json;
  const path = `/fhir-r4/v1/CarePlan/${String(id)}`;
  await server.send('GET', '/fhir-r4/v1/CarePlan?subject=1', undefined, workbenchHeaders);
  const text = carePlan('Patient/1', `,"id":"${String(id)}","title":"Two"`);
  const ifMatch = { ...workbenchHeaders, 'If-Match': 'W/"1"' };
  await server.send('PUT', path, text, ifMatch);
  const rejection = await server.send('PUT', path, text.replace('Two', 'Three'), ifMatch);
  const { entries, total } = await readActivity();
  expect(total).toBe(4);
  expect(entries).toMatchObject([
    {
      kind: 'write',
      method: 'PUT',
      status: 412,
      requestId: rejection.headers.get('X-Request-Id'),
      answerBytes: rejection.text.length,
      record: { type: 'CarePlan', id, before: 1 },
    },
    {
      kind: 'write',
      method: 'PUT',
      path,
      status: 200,
      requestBytes: text.length,
      record: { type: 'CarePlan', id, before: 1, after: 2 },
    },
    { kind: 'search', method: 'GET', path: '/fhir-r4/v1/CarePlan?subject=1', status: 200 },
    {
      kind: 'write',
      method: 'POST',
      status: 201,
      connection: 'Local',
      record: { type: 'CarePlan', id, after: 1 },
    },
  ]);
  expect(entries[0].record.after).toBeUndefined();
});

test('logs neither other clients nor limited tokens nor background requests', async () => {
  const { token } = await createClientToken(server, ['system/*.cruds']);
  const search = '/fhir-r4/v1/Composition';
  await server.send('GET', search);
  await server.send('GET', search, undefined, { 'X-Chartkeeper-Client': 'other' });
  await sendAs(server, `Bearer ${token}`, 'GET', search, undefined, workbenchHeaders);
  await sendAs(server, 'Bearer nonsense', 'GET', search, undefined, workbenchHeaders);
  await server.send('GET', '/app/overview', undefined, workbenchHeaders);
  await server.send('PUT', '/app/preferences', '{"theme":"dark"}', workbenchHeaders);
  expect(await readActivity()).toEqual({ entries: [], total: 0 });
  await server.send('DELETE', '/app/tokens/nobody', undefined, workbenchHeaders);
  expect((await readActivity()).entries).toMatchObject([{ kind: 'app', method: 'DELETE', status: 404 }]);
});

test('keeps the log across a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-log-'));
  const token = createToken();
  const start = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const headers = { Authorization: `Bearer ${token}`, ...workbenchHeaders };
  const firstServer = await start();
  await fetch(`${firstServer.origin}/fhir-r4/v1/Composition?title=kept`, { headers });
  await firstServer.close();
  const secondServer = await start();
  const response = await fetch(`${secondServer.origin}/app/activity`, { headers });
  expect(await response.json()).toMatchObject({ entries: [{ path: '/fhir-r4/v1/Composition?title=kept' }] });
  await secondServer.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('adds jobs with a note and counts and rejects invalid jobs', async () => {
  const job = { kind: 'bulk', note: 'Replaced /status in 3 records.', counts: { done: 3, failed: 0 } };
  const addResponse = await server.send('POST', '/app/activity', JSON.stringify(job), workbenchHeaders);
  expect([addResponse.status, addResponse.json]).toEqual([201, expect.objectContaining(job)]);
  expect((await readActivity('?kind=bulk')).entries).toMatchObject([job]);
  const remote = { ...job, connection: 'Ward' };
  expect(
    (await server.send('POST', '/app/activity', JSON.stringify(remote), workbenchHeaders)).json,
  ).toMatchObject(remote);
  for (const wrong of [
    { kind: 'write' },
    { note: '' },
    { note: 'x'.repeat(501) },
    { counts: { a: 1.5 } },
    { connection: 5 },
  ]) {
    const body = JSON.stringify({ ...job, ...wrong });
    expect((await server.send('POST', '/app/activity', body)).status).toBe(400);
  }
});

test('rejects an unknown filter and clears the log', async () => {
  await server.send('GET', '/fhir-r4/v1/Composition', undefined, workbenchHeaders);
  for (const wrong of ['?status=9xx', '?nobody=1', '?count=501', '?since=soon', '?__proto__=1']) {
    expect((await server.send('GET', `/app/activity${wrong}`)).status).toBe(400);
  }
  expect((await readActivity('?status=4xx')).total).toBe(0);
  expect((await server.send('DELETE', '/app/activity', undefined, workbenchHeaders)).json).toEqual({
    cleared: 1,
  });
  expect((await readActivity()).total).toBe(0);
});

test('stores no token, body or header in a workspace file', async () => {
  const canary = 'canary-7d1f4c';
  const { token } = await createClientToken(server, ['system/*.*']);
  const record = carePlan('Patient/1', `,"title":"${canary}"`);
  const headers = {
    ...workbenchHeaders,
    Prefer: `return=${canary}`,
    'If-None-Exist': `subject=${canary}`,
    'X-Canary': canary,
    Accept: `application/json; ${canary}=1`,
  };
  const send = (method: string, path: string, body?: string, bearer: string = token) =>
    sendAs(server, `Bearer ${bearer}`, method, path, body, headers);
  await send('POST', '/fhir-r4/v1/CarePlan', record);
  await send('POST', '/fhir-r4/v1/CarePlan/$validate', record);
  await send('PUT', '/fhir-r4/v1/CarePlan/x', record);
  await send('PATCH', '/fhir-r4/v1/CarePlan/x', `[{"op":"replace","path":"/title","value":"${canary}"}]`);
  await send('POST', '/app/tokens', `{"name":"","scopes":["${canary}"]}`);
  await send('GET', `/fhir-r4/v1/CarePlan?subject=${token}`);
  await send('GET', `/fhir-r4/v1/CarePlan/${token}`);
  await send('GET', `/fhir-r4/v1/CarePlan?subject=${server.token}`);
  await send('GET', '/fhir-r4/v1/CarePlan?subject=1', undefined, canary);
  const { total } = await readActivity();
  expect(total).toBe(8);
  const files = (await readdir(server.dataDir)).filter((name) => name.startsWith('workspace.db'));
  expect(files).toContain('workspace.db-wal');
  for (const name of files) {
    const bytes = await readFile(join(server.dataDir, name));
    for (const secret of [canary, token, server.token]) expect(bytes.includes(secret), name).toBe(false);
  }
});
