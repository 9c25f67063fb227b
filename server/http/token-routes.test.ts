import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TokenList } from '../../core/app/tokens.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const request = { name: 'lab feed', scopes: ['system/CarePlan.read', 'system/Composition.cu'] };

test('returns a token once at creation and never in lists or files', async () => {
  const createResponse = await server.send(
    'POST',
    '/app/tokens',
    JSON.stringify({ ...request, expiresIn: 3600 }),
  );
  expect(createResponse.status).toBe(201);
  expect(Object.keys(createResponse.json)).toEqual(['id', 'token']);
  const { id, token } = createResponse.json;
  const list = await server.send('GET', '/app/tokens');
  expect(matchesSchema(TokenList, list.json)).toBe(true);
  const { created, expires, ...storedToken } = list.json.find((token: { id: string }) => token.id === id);
  expect(storedToken).toEqual({ id, ...request });
  expect(Date.parse(expires) - Date.parse(created)).toBe(3_600_000);
  expect(list.text).not.toContain(token);
  for (const name of await readdir(server.dataDir)) {
    expect((await readFile(join(server.dataDir, name))).includes(token)).toBe(false);
  }
});

test('marks the token of the request in the list', async () => {
  const { id, token } = await createClientToken(server, ['system/*.*']);
  const list = (await sendAs(server, `Bearer ${token}`, 'GET', '/app/tokens')).json;
  expect(matchesSchema(TokenList, list)).toBe(true);
  const listCurrentIds = (tokenList: any) =>
    tokenList.filter((token: any) => token.current).map((token: any) => token.id);
  expect(listCurrentIds(list)).toEqual([id]);
  expect(listCurrentIds((await server.send('GET', '/app/tokens')).json)).toEqual([]);
});

test('reports each error of an invalid request and stores nothing', async () => {
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

test('revokes a token by its id and rejects an unknown id with 404', async () => {
  const { id } = await createClientToken(server, ['system/*.read']);
  expect((await server.send('DELETE', `/app/tokens/${id}`)).json).toMatchObject({
    id,
    revoked: expect.stringMatching(/Z$/),
  });
  expect((await server.send('DELETE', '/app/tokens/nobody')).status).toBe(404);
});
