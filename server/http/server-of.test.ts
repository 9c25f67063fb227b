import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionHeader } from '../../core/app/connections.ts';
import { connect } from '../gateway/testing/connect.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const draft = { type: 'CarePlan', recordId: 'a', title: 'A', window: 'w', text: 'mine', base: '{}' };
const search = { type: 'CarePlan', pairs: [['subject', '17']] };
const run = { label: 'All', operations: [{ path: '/status', value: '"active"' }] };
const session = { tabs: [], active: -1, recent: [{ type: 'CarePlan', id: 'a', title: 'A' }] };

function workspaceOf(id?: string) {
  const headers = id === undefined ? {} : { [connectionHeader]: id };
  const json = async (path: string) => (await server.send('GET', `/app${path}`, undefined, headers)).json;
  return {
    send: (method: string, path: string, body?: unknown) =>
      server.send(method, `/app${path}`, body === undefined ? undefined : JSON.stringify(body), headers),
    async readAll() {
      const [drafts, recents, searches, runs] = await Promise.all(
        ['/drafts', '/recents', '/searches', '/bulk'].map(json),
      );
      return {
        kept: [drafts, recents, searches, runs].map((list) => list.length),
        session: await json('/session'),
      };
    },
  };
}

const emptyWorkspace = { kept: [0, 0, 0, 0], session: { tabs: [], active: -1, recent: [] } };

async function fill(space: ReturnType<typeof workspaceOf>, id: string): Promise<number[]> {
  const answers = [
    await space.send('PUT', `/drafts/${id}`, draft),
    await space.send('POST', '/recents', search),
    await space.send('POST', '/searches', { name: 'Mine', ...search }),
    await space.send('POST', '/bulk', run),
    await space.send('PUT', '/session', session),
  ];
  return answers.map(({ status }) => status);
}

test('separates the workspaces of two servers', async () => {
  const firstConnection = await connect(server, { baseUrl: 'http://127.0.0.1:1/fhir' });
  const secondConnection = await connect(server, { baseUrl: 'http://127.0.0.1:2/fhir' });
  const [firstWorkspace, secondWorkspace, localWorkspace] = [
    workspaceOf(firstConnection.id),
    workspaceOf(secondConnection.id),
    workspaceOf(),
  ];

  expect(await fill(firstWorkspace, 'first')).toEqual([200, 200, 201, 201, 200]);
  expect(await firstWorkspace.readAll()).toEqual({ kept: [1, 1, 1, 1], session });
  expect(await secondWorkspace.readAll()).toEqual(emptyWorkspace);
  expect(await localWorkspace.readAll()).toEqual(emptyWorkspace);

  const id = (await firstWorkspace.send('GET', '/bulk')).json[0].id;
  for (const space of [secondWorkspace, localWorkspace]) {
    expect((await space.send('GET', '/drafts/first')).status).toBe(404);
    expect((await space.send('POST', '/drafts/first/claim', { window: 'x' })).status).toBe(404);
    expect((await space.send('PUT', '/drafts/first', draft)).status).toBe(409);
    expect((await space.send('GET', `/bulk/${id}`)).status).toBe(404);
    await space.send('DELETE', '/drafts/first');
  }
  expect((await firstWorkspace.send('GET', '/drafts/first')).json).toMatchObject({
    text: 'mine',
    window: 'w',
  });
  // Another server may use the same name.
  expect(await fill(localWorkspace, 'second')).toEqual([200, 200, 201, 201, 200]);
  expect(await secondWorkspace.readAll()).toEqual(emptyWorkspace);
});

test('keeps the ETag of a draft’s base and drops the base of another draft', async () => {
  const { id } = await connect(server, { baseUrl: 'http://127.0.0.1:3/fhir' });
  const space = workspaceOf(id);
  const etag = 'W/"6f1c-tagged"';
  expect((await space.send('PUT', '/drafts/tagged', { ...draft, baseEtag: etag })).status).toBe(200);
  expect((await space.send('GET', '/drafts/tagged')).json).toMatchObject({ baseEtag: etag, base: '{}' });
  const withoutBase = { ...draft, base: undefined };
  expect((await space.send('PUT', '/drafts/tagged', { ...withoutBase, baseEtag: etag })).status).toBe(200);
  expect((await space.send('PUT', '/drafts/tagged', { ...withoutBase, baseEtag: 'W/"other"' })).status).toBe(
    400,
  );
});

test('removes the workspace of a server with its last connection', async () => {
  const baseUrl = 'http://127.0.0.1:4/fhir';
  const [firstConnection, secondConnection] = [
    await connect(server, { baseUrl }),
    await connect(server, { baseUrl }),
  ];
  await fill(workspaceOf(firstConnection.id), 'third');
  expect((await workspaceOf(secondConnection.id).readAll()).kept).toEqual([1, 1, 1, 1]);
  await server.send('DELETE', `/app/connections/${firstConnection.id}`);
  expect((await workspaceOf(secondConnection.id).readAll()).kept).toEqual([1, 1, 1, 1]);
  await server.send('DELETE', `/app/connections/${secondConnection.id}`);
  expect((await workspaceOf(secondConnection.id).send('GET', '/drafts')).status).toBe(404);
  const newConnection = await connect(server, { baseUrl });
  expect(await workspaceOf(newConnection.id).readAll()).toEqual(emptyWorkspace);
});
