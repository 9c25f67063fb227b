import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActivityPage } from '../../core/app/activity.ts';
import { is } from '../../core/json/shape.ts';
import { newToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const page = { 'X-Chartkeeper-Client': 'workbench' };
const activity = async (query = '') => {
  const { json } = await server.send('GET', `/app/activity${query}`);
  expect(is(ActivityPage, json)).toBe(true);
  return json;
};

test('a search, a create, an update and a refused one stand in the log with their facts', async () => {
  const made = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/1'), page);
  const { id } = made.json;
  const path = `/fhir-r4/v1/CarePlan/${String(id)}`;
  await server.send('GET', '/fhir-r4/v1/CarePlan?subject=1', undefined, page);
  const text = carePlan('Patient/1', `,"id":"${String(id)}","title":"Two"`);
  const ifMatch = { ...page, 'If-Match': 'W/"1"' };
  await server.send('PUT', path, text, ifMatch);
  const refused = await server.send('PUT', path, text.replace('Two', 'Three'), ifMatch);
  const { entries, total } = await activity();
  expect(total).toBe(4);
  expect(entries).toMatchObject([
    {
      kind: 'write',
      method: 'PUT',
      status: 412,
      requestId: refused.headers.get('X-Request-Id'),
      answerBytes: refused.text.length,
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

test('only the workbench is kept: other clients, lesser tokens and its own housekeeping leave nothing', async () => {
  const { token } = await mint(server, ['system/*.cruds']);
  const search = '/fhir-r4/v1/Composition';
  await server.send('GET', search);
  await server.send('GET', search, undefined, { 'X-Chartkeeper-Client': 'other' });
  await sendAs(server, `Bearer ${token}`, 'GET', search, undefined, page);
  await sendAs(server, 'Bearer nonsense', 'GET', search, undefined, page);
  await server.send('GET', '/app/overview', undefined, page);
  await server.send('PUT', '/app/preferences', '{"theme":"dark"}', page);
  expect(await activity()).toEqual({ entries: [], total: 0 });
  await server.send('DELETE', '/app/tokens/nobody', undefined, page);
  expect((await activity()).entries).toMatchObject([{ kind: 'app', method: 'DELETE', status: 404 }]);
});

test('the log outlives the server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-log-'));
  const token = newToken();
  const start = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const headers = { Authorization: `Bearer ${token}`, ...page };
  const first = await start();
  await fetch(`${first.origin}/fhir-r4/v1/Composition?title=kept`, { headers });
  await first.close();
  const second = await start();
  const answer = await fetch(`${second.origin}/app/activity`, { headers });
  expect(await answer.json()).toMatchObject({ entries: [{ path: '/fhir-r4/v1/Composition?title=kept' }] });
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('jobs are added with a sentence and counts; what is none is refused', async () => {
  const job = { kind: 'bulk', note: 'Replaced /status in 3 records.', counts: { done: 3, failed: 0 } };
  const added = await server.send('POST', '/app/activity', JSON.stringify(job), page);
  expect([added.status, added.json]).toEqual([201, expect.objectContaining(job)]);
  expect((await activity('?kind=bulk')).entries).toMatchObject([job]);
  const remote = { ...job, connection: 'Ward' };
  expect((await server.send('POST', '/app/activity', JSON.stringify(remote), page)).json).toMatchObject(
    remote,
  );
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

test('a filter that is not known is refused, and clearing empties the list', async () => {
  await server.send('GET', '/fhir-r4/v1/Composition', undefined, page);
  for (const wrong of ['?status=9xx', '?nobody=1', '?count=501', '?since=soon', '?__proto__=1']) {
    expect((await server.send('GET', `/app/activity${wrong}`)).status).toBe(400);
  }
  expect((await activity('?status=4xx')).total).toBe(0);
  expect((await server.send('DELETE', '/app/activity', undefined, page)).json).toEqual({ cleared: 1 });
  expect((await activity()).total).toBe(0);
});

test('no canary of a token, a body or a header is in any file of the workspace', async () => {
  const canary = 'canary-7d1f4c';
  const { token } = await mint(server, ['system/*.*']);
  const record = carePlan('Patient/1', `,"title":"${canary}"`);
  const headers = {
    ...page,
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
  const { total } = await activity();
  expect(total).toBe(8);
  const files = (await readdir(server.dataDir)).filter((name) => name.startsWith('workspace.db'));
  expect(files).toContain('workspace.db-wal');
  for (const name of files) {
    const bytes = await readFile(join(server.dataDir, name));
    for (const secret of [canary, token, server.token]) expect(bytes.includes(secret), name).toBe(false);
  }
});
