import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TokenList } from '../../core/app/tokens.ts';
import { is } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const request = { name: 'lab feed', scopes: ['system/CarePlan.read', 'system/Composition.cu'] };

test('a token is told once, when it is made; list and files hold none', async () => {
  const made = await server.send('POST', '/app/tokens', JSON.stringify({ ...request, expiresIn: 3600 }));
  expect(made.status).toBe(201);
  expect(Object.keys(made.json)).toEqual(['id', 'token']);
  const { id, token } = made.json;
  const list = await server.send('GET', '/app/tokens');
  expect(is(TokenList, list.json)).toBe(true);
  const { created, expires, ...rest } = list.json.find((one: { id: string }) => one.id === id);
  expect(rest).toEqual({ id, ...request });
  expect(Date.parse(expires) - Date.parse(created)).toBe(3_600_000);
  expect(list.text).not.toContain(token);
  for (const name of await readdir(server.dataDir)) {
    expect((await readFile(join(server.dataDir, name))).includes(token)).toBe(false);
  }
});

test('the list says which token asked for it', async () => {
  const { id, token } = await mint(server, ['system/*.*']);
  const list = (await sendAs(server, `Bearer ${token}`, 'GET', '/app/tokens')).json;
  expect(is(TokenList, list)).toBe(true);
  const own = (answer: any) => answer.filter((one: any) => one.current).map((one: any) => one.id);
  expect(own(list)).toEqual([id]);
  expect(own((await server.send('GET', '/app/tokens')).json)).toEqual([]);
});

test('a wrong request names each fault and stores nothing', async () => {
  const before = (await server.send('GET', '/app/tokens')).text;
  const answer = await server.send('POST', '/app/tokens', '{"name":"","scopes":["system/*.*","x"]}');
  expect(answer.status).toBe(400);
  expect(answer.json.issue).toMatchObject([
    { code: 'value', expression: ['name'] },
    { code: 'value', expression: ['scopes[1]'] },
  ]);
  expect((await server.send('POST', '/app/tokens', '{')).status).toBe(400);
  expect((await server.send('GET', '/app/tokens')).text).toBe(before);
});

test('a token is revoked by its id; an unknown id is 404', async () => {
  const { id } = await mint(server, ['system/*.read']);
  expect((await server.send('DELETE', `/app/tokens/${id}`)).json).toMatchObject({
    id,
    revoked: expect.stringMatching(/Z$/),
  });
  expect((await server.send('DELETE', '/app/tokens/nobody')).status).toBe(404);
});

test('a minted token with everything may mint; none below it may', async () => {
  const { token } = await mint(server, ['system/*.*']);
  const body = JSON.stringify(request);
  expect((await sendAs(server, `Bearer ${token}`, 'POST', '/app/tokens', body)).status).toBe(201);
  for (const scope of ['system/*.cruds', 'user/*.*', 'system/CarePlan.*']) {
    const lesser = await mint(server, [scope]);
    expect((await sendAs(server, `Bearer ${lesser.token}`, 'POST', '/app/tokens', body)).status).toBe(403);
  }
});

test('row 72: a wrong method is 405 with Allow, OPTIONS is 204', async () => {
  const wrong = await server.send('PUT', '/app/tokens', '{}');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  const options = await server.send('OPTIONS', '/app/tokens/x');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'DELETE, OPTIONS']);
});
