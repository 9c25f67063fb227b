/** Responses of the table besides its own methods. server/conformance tests the addresses of the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

test.each([
  ['DELETE', '/fhir-r4/v1/metadata', 405, 'GET, HEAD, OPTIONS'],
  ['OPTIONS', '/fhir-r4/v1/metadata', 204, 'GET, HEAD, OPTIONS'],
  ['POST', '/.well-known/smart-configuration', 405, 'GET, HEAD, OPTIONS'],
  ['GET', '/oauth2/token', 405, 'POST, OPTIONS'],
  ['OPTIONS', '/oauth2/token/', 204, 'POST, OPTIONS'],
])('responds to %s %s with %i', async (method, path, status, allow) => {
  const answer = await sendAs(server, undefined, method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
});

test.each([
  ['DELETE', '/openapi.json'],
  ['OPTIONS', '/openapi.json'],
  ['OPTIONS', '/app/tokens'],
  ['GET', '/app/nowhere'],
  ['POST', '/fhir-r4/v1/.well-known/other'],
])('rejects %s %s with 405', async (method, path) => {
  expect((await sendAs(server, undefined, method, path)).status).toBe(401);
});

test.each([
  ['DELETE', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ['POST', '/app/connections/x/page', 'GET, HEAD, OPTIONS'],
  ['PUT', '/app/tokens', 'GET, HEAD, POST, OPTIONS'],
  ['GET', '/app/tokens/x', 'DELETE, OPTIONS'],
  ['POST', '/app/drafts', 'GET, HEAD, OPTIONS'],
  ['GET', '/app/connections/sign-out', 'POST, OPTIONS'],
  ['GET', '/app/training/writer/', 'POST, DELETE, OPTIONS'],
])('responds to OPTIONS of %s %s', async (method, path, allow) => {
  const { status, headers, json } = await server.send(method, path);
  expect([status, headers.get('allow')]).toEqual([405, allow]);
  expect(json.issue[0]).toMatchObject({ code: 'not-supported' });
});

// Row 79 of docs/api-rows.md.
test.each(['/app/Tokens', '/app//tokens', '/app', '/app/', '/app/history/Patient/x', '/app/tokens/x/y'])(
  'rejects %s with 404',
  async (path) => {
    expect((await server.send('GET', path)).status).toBe(404);
  },
);

test('responds to HEAD like GET without the body', async () => {
  const { status, headers, text } = await server.send('HEAD', '/app/overview');
  expect([status, text]).toEqual([200, '']);
  expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
});
