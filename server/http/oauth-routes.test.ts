import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
let client: { id: string; token: string };
beforeAll(async () => {
  server = await startTestServer({ failureLimit: 1000 });
  client = await createClientToken(server, ['system/CarePlan.rs', 'system/Composition.*']);
});
afterAll(() => server.remove());

const grant = { grant_type: 'client_credentials' };
/** Message with the characters that RFC 6749 section 5.2 allows. */
const description = /^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const requestToken = (parameters: Record<string, string>, authorization?: string) =>
  sendAs(server, authorization, 'POST', '/oauth2/token', new URLSearchParams(parameters).toString(), form);
const post = (parameters: Record<string, string> = {}) =>
  requestToken({ ...grant, client_id: client.id, client_secret: client.token, ...parameters });

// Row 71 of docs/api-rows.md.
describe('client credentials', () => {
  test('issues a working token for client_secret_basic and client_secret_post', async () => {
    for (const answer of [await requestToken(grant, basic(client.id, client.token)), await post()]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(answer.json).toEqual({
        access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'system/CarePlan.rs system/Composition.*',
      });
      const bearer = `Bearer ${answer.json.access_token}`;
      const path = '/fhir-r4/v1/CarePlan?subject=x';
      expect((await sendAs(server, bearer, 'GET', path)).status).toBe(200);
      expect((await sendAs(server, bearer, 'POST', '/fhir-r4/v1/CarePlan', '{}')).status).toBe(403);
    }
  });

  test('grants and enforces a requested subset of scopes', async () => {
    const { json } = await post({ scope: 'system/Composition.read' });
    expect(json.scope).toBe('system/Composition.read');
    const bearer = `Bearer ${json.access_token}`;
    expect((await sendAs(server, bearer, 'GET', '/fhir-r4/v1/Composition')).status).toBe(200);
    expect((await sendAs(server, bearer, 'GET', '/fhir-r4/v1/CarePlan?subject=x')).status).toBe(403);
  });

  test('rejects the launch token and an obtained token as client', async () => {
    const { json } = await post();
    for (const [id, secret] of [
      ['owner', server.token],
      [client.id, json.access_token],
    ] as const) {
      expect((await requestToken(grant, basic(id, secret))).json.error).toBe('invalid_client');
    }
  });

  test.each([
    ['no grant type', 'invalid_request', () => requestToken({}, basic(client.id, client.token))],
    ['another grant', 'unsupported_grant_type', () => post({ grant_type: 'password' })],
    ['a wider scope', 'invalid_scope', () => post({ scope: 'system/CarePlan.write' })],
    ['everything', 'invalid_scope', () => post({ scope: 'system/*.*' })],
    ['an unknown scope', 'invalid_scope', () => post({ scope: 'openid' })],
    [
      'two secrets',
      'invalid_request',
      () => requestToken({ ...grant, client_secret: client.token }, basic(client.id, client.token)),
    ],
    [
      'two ids',
      'invalid_request',
      () => requestToken({ ...grant, client_id: 'other' }, basic(client.id, client.token)),
    ],
    [
      'a parameter twice',
      'invalid_request',
      () =>
        sendAs(
          server,
          basic(client.id, client.token),
          'POST',
          '/oauth2/token',
          'grant_type=client_credentials&grant_type=client_credentials',
          form,
        ),
    ],
    [
      'a JSON body',
      'invalid_request',
      () => sendAs(server, basic(client.id, client.token), 'POST', '/oauth2/token', JSON.stringify(grant)),
    ],
  ] as const)('%s is 400 %s', async (_, code, send) => {
    const { status, json, headers } = await send();
    expect([status, json.error]).toEqual([400, code]);
    expect(json.error_description).toMatch(description);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['no credentials', () => requestToken(grant)],
    ['an id alone', () => requestToken({ ...grant, client_id: client.id })],
    ['a wrong secret', () => post({ client_secret: 'wrong' })],
    ['the secret of another id', () => post({ client_id: '00000000-0000-4000-8000-000000000000' })],
    ['a wrong secret in Basic', () => requestToken(grant, basic(client.id, 'wrong'))],
    ['a Bearer token', () => requestToken(grant, `Bearer ${client.token}`)],
    [
      'Basic without a colon',
      () => requestToken(grant, `Basic ${Buffer.from('nothing').toString('base64')}`),
    ],
  ] as const)('%s is 401 invalid_client with a challenge', async (_, send) => {
    const { status, json, headers } = await send();
    expect([status, json.error]).toEqual([401, 'invalid_client']);
    expect(json.error_description).toMatch(description);
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });

  test('rejects another method with 405 and a large body with 413', async () => {
    const get = await server.send('GET', '/oauth2/token');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await post({ x: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

// Row 71 of docs/api-rows.md.
test.each(['', '/fhir-r4/v1'])(
  'serves %s/.well-known/smart-configuration without a token',
  async (basePath) => {
    const { status, json } = await sendAs(
      server,
      undefined,
      'GET',
      `${basePath}/.well-known/smart-configuration`,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      token_endpoint: `${server.origin}/oauth2/token`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      capabilities: expect.arrayContaining(['permission-v1', 'permission-v2']),
    });
    expect(json.scopes_supported).toContain('system/CarePlan.read');
  },
);
