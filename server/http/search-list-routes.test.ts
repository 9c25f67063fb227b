import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionHeader } from '../../core/app/connections.ts';
import { SavedList, searchLimits, SearchList } from '../../core/app/searches.ts';
import { is } from '../../core/json/shape.ts';
import { newToken } from '../access/secret.ts';
import { connect } from '../gateway/testing/connect.ts';
import { pageFolder } from '../serve.ts';
import { startServer } from '../start.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const search = (subject: string) => ({ type: 'CarePlan', pairs: [['subject', subject]] });
const put = (method: string, path: string, body: unknown) =>
  server.send(method, `/app${path}`, JSON.stringify(body));
const note = (subject: string) => put('POST', '/recents', search(subject));

test('recent searches are listed newest first, each once', async () => {
  await note('1');
  await note('2');
  const { json } = await note('1');
  expect(is(SearchList, json)).toBe(true);
  expect(json).toEqual([search('1'), search('2')]);
  expect((await server.send('DELETE', '/app/recents')).json).toEqual([]);
});

test('the oldest recent searches are dropped beyond the limit', async () => {
  for (let at = 0; at <= searchLimits.recent; at += 1) await note(String(at));
  const { json } = await server.send('GET', '/app/recents');
  expect(json).toHaveLength(searchLimits.recent);
  expect(json.at(-1)).toEqual(search('1'));
});

test('a saved search is named, renamed and removed; a name stands once, whatever its case', async () => {
  const { json: ward } = await put('POST', '/searches', { name: 'Ward', ...search('1') });
  expect(ward).toMatchObject({ name: 'Ward', ...search('1') });
  const taken = await put('POST', '/searches', { name: 'ward', ...search('2') });
  expect(taken.status).toBe(409);
  expect(taken.json.issue[0]).toMatchObject({ expression: ['name'] });
  await put('POST', '/searches', { name: 'Clinic', ...search('2') });
  expect((await put('PUT', `/searches/${ward.id}`, { name: 'clinic' })).status).toBe(409);
  expect((await put('PUT', `/searches/${ward.id}`, { name: 'WARD' })).json.name).toBe('WARD');
  const { json } = await server.send('GET', '/app/searches');
  expect(is(SavedList, json)).toBe(true);
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['Clinic', 'WARD']);
  expect((await server.send('DELETE', `/app/searches/${ward.id}`)).json).toHaveLength(1);
  expect((await server.send('DELETE', `/app/searches/${ward.id}`)).status).toBe(404);
});

test.each([
  ['POST', '/searches', { name: ' padded', ...search('1') }],
  ['POST', '/searches', { name: 'No type', pairs: [] }],
  ['POST', '/searches', { name: 'Foreign type', type: 'Patient', pairs: [] }],
  ['POST', '/recents', { type: 'CarePlan', pairs: [['subject']] }],
])('%s %s refuses %j', async (method, path, body) => {
  expect((await put(method, path, body)).status).toBe(400);
});

test('what was kept is there after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-test-'));
  const token = newToken();
  const start = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const first = await start();
  const body = JSON.stringify({ name: 'Ward', ...search('1') });
  await fetch(`${first.origin}/app/searches`, { method: 'POST', headers, body });
  await first.close();
  const second = await start();
  const answer = await fetch(`${second.origin}/app/searches`, { headers });
  expect(await answer.json()).toMatchObject([{ name: 'Ward', ...search('1') }]);
  await second.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('what is kept of another server goes with the last connection to it', async () => {
  const to = (host: string) => connect(server, { baseUrl: `https://${host}.example.org/fhir` });
  const clinic = await to('clinic');
  const again = await to('clinic');
  const ward = await to('ward');
  const body = JSON.stringify(search('1'));
  const send = (method: string, id: string, sent?: string) =>
    server.send(method, '/app/recents', sent, { [connectionHeader]: id });
  const of = async (id: string) => (await send('GET', id)).json as unknown[];
  for (const one of [clinic, ward]) await send('POST', one.id, body);
  await server.send('DELETE', `/app/connections/${clinic.id}`);
  expect(await of(again.id)).toHaveLength(1);
  await server.send('DELETE', `/app/connections/${again.id}`);
  const anew = await to('clinic');
  expect([await of(anew.id), await of(ward.id)]).toEqual([[], [search('1')]]);
});
