import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionHeader } from '../../core/app/connections.ts';
import { SavedList, searchLimits, SearchList } from '../../core/app/searches.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { createToken } from '../access/secret.ts';
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
const sendJson = (method: string, path: string, body: unknown) =>
  server.send(method, `/app${path}`, JSON.stringify(body));
const addRecent = (subject: string) => sendJson('POST', '/recents', search(subject));

test('lists recent searches once, latest first', async () => {
  await addRecent('1');
  await addRecent('2');
  const { json } = await addRecent('1');
  expect(matchesSchema(SearchList, json)).toBe(true);
  expect(json).toEqual([search('1'), search('2')]);
  expect((await server.send('DELETE', '/app/recents')).json).toEqual([]);
});

test('drops the oldest recent searches beyond the limit', async () => {
  for (let index = 0; index <= searchLimits.recent; index += 1) await addRecent(String(index));
  const { json } = await server.send('GET', '/app/recents');
  expect(json).toHaveLength(searchLimits.recent);
  expect(json.at(-1)).toEqual(search('1'));
});

test('names, renames and removes a saved search and rejects a name in another case', async () => {
  const { json: ward } = await sendJson('POST', '/searches', { name: 'Ward', ...search('1') });
  expect(ward).toMatchObject({ name: 'Ward', ...search('1') });
  const duplicateName = await sendJson('POST', '/searches', { name: 'ward', ...search('2') });
  expect(duplicateName.status).toBe(409);
  expect(duplicateName.json.issue[0]).toMatchObject({ expression: ['name'] });
  await sendJson('POST', '/searches', { name: 'Clinic', ...search('2') });
  expect((await sendJson('PUT', `/searches/${ward.id}`, { name: 'clinic' })).status).toBe(409);
  expect((await sendJson('PUT', `/searches/${ward.id}`, { name: 'WARD' })).json.name).toBe('WARD');
  const { json } = await server.send('GET', '/app/searches');
  expect(matchesSchema(SavedList, json)).toBe(true);
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
  expect((await sendJson(method, path, body)).status).toBe(400);
});

test('keeps searches across a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-test-'));
  const token = createToken();
  const start = () => startServer({ dataDir, port: 0, token, pageFolder, log: () => undefined });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const firstServer = await start();
  const body = JSON.stringify({ name: 'Ward', ...search('1') });
  await fetch(`${firstServer.origin}/app/searches`, { method: 'POST', headers, body });
  await firstServer.close();
  const secondServer = await start();
  const response = await fetch(`${secondServer.origin}/app/searches`, { headers });
  expect(await response.json()).toMatchObject([{ name: 'Ward', ...search('1') }]);
  await secondServer.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('removes searches of a server with its last connection', async () => {
  const connectTo = (host: string) => connect(server, { baseUrl: `https://${host}.example.org/fhir` });
  const clinic = await connectTo('clinic');
  const secondConnection = await connectTo('clinic');
  const ward = await connectTo('ward');
  const body = JSON.stringify(search('1'));
  const send = (method: string, id: string, body?: string) =>
    server.send(method, '/app/recents', body, { [connectionHeader]: id });
  const listRecents = async (id: string) => (await send('GET', id)).json as unknown[];
  for (const connection of [clinic, ward]) await send('POST', connection.id, body);
  await server.send('DELETE', `/app/connections/${clinic.id}`);
  expect(await listRecents(secondConnection.id)).toHaveLength(1);
  await server.send('DELETE', `/app/connections/${secondConnection.id}`);
  const newConnection = await connectTo('clinic');
  expect([await listRecents(newConnection.id), await listRecents(ward.id)]).toEqual([[], [search('1')]]);
});
