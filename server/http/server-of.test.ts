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
    async all() {
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

const none = { kept: [0, 0, 0, 0], session: { tabs: [], active: -1, recent: [] } };

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

test('what was kept for one server is not there for another', async () => {
  const one = await connect(server, { baseUrl: 'http://127.0.0.1:1/fhir' });
  const other = await connect(server, { baseUrl: 'http://127.0.0.1:2/fhir' });
  const [mine, theirs, local] = [workspaceOf(one.id), workspaceOf(other.id), workspaceOf()];

  expect(await fill(mine, 'first')).toEqual([200, 200, 201, 201, 200]);
  expect(await mine.all()).toEqual({ kept: [1, 1, 1, 1], session });
  expect(await theirs.all()).toEqual(none);
  expect(await local.all()).toEqual(none);

  const id = (await mine.send('GET', '/bulk')).json[0].id;
  for (const space of [theirs, local]) {
    expect((await space.send('GET', '/drafts/first')).status).toBe(404);
    expect((await space.send('POST', '/drafts/first/claim', { window: 'x' })).status).toBe(404);
    expect((await space.send('PUT', '/drafts/first', draft)).status).toBe(409);
    expect((await space.send('GET', `/bulk/${id}`)).status).toBe(404);
    await space.send('DELETE', '/drafts/first');
  }
  expect((await mine.send('GET', '/drafts/first')).json).toMatchObject({ text: 'mine', window: 'w' });
  // The same name is free elsewhere.
  expect(await fill(local, 'second')).toEqual([200, 200, 201, 201, 200]);
  expect(await theirs.all()).toEqual(none);
});

test('a draft keeps the ETag of its base, and forgets the base of another one', async () => {
  const { id } = await connect(server, { baseUrl: 'http://127.0.0.1:3/fhir' });
  const space = workspaceOf(id);
  const etag = 'W/"6f1c-tagged"';
  expect((await space.send('PUT', '/drafts/tagged', { ...draft, baseEtag: etag })).status).toBe(200);
  expect((await space.send('GET', '/drafts/tagged')).json).toMatchObject({ baseEtag: etag, base: '{}' });
  const rest = { ...draft, base: undefined };
  expect((await space.send('PUT', '/drafts/tagged', { ...rest, baseEtag: etag })).status).toBe(200);
  expect((await space.send('PUT', '/drafts/tagged', { ...rest, baseEtag: 'W/"other"' })).status).toBe(400);
});

test('removing the last connection to a server removes what was kept for it', async () => {
  const baseUrl = 'http://127.0.0.1:4/fhir';
  const [one, twin] = [await connect(server, { baseUrl }), await connect(server, { baseUrl })];
  await fill(workspaceOf(one.id), 'third');
  expect((await workspaceOf(twin.id).all()).kept).toEqual([1, 1, 1, 1]);
  await server.send('DELETE', `/app/connections/${one.id}`);
  expect((await workspaceOf(twin.id).all()).kept).toEqual([1, 1, 1, 1]);
  await server.send('DELETE', `/app/connections/${twin.id}`);
  expect((await workspaceOf(twin.id).send('GET', '/drafts')).status).toBe(404);
  const again = await connect(server, { baseUrl });
  expect(await workspaceOf(again.id).all()).toEqual(none);
});
