import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { sendFhir } from './testing/peer.ts';

const record = '{"resourceType":"CarePlan","id":"a"}';

let server: TestServer;
let idp: IdentityProvider;
beforeAll(async () => {
  server = await startTestServer();
  idp = await startIdentityProvider((_request, response) => sendFhir(response, 200, record));
});
afterAll(() => Promise.all([server.remove(), idp.peer.close()]));
afterEach(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  idp.lifetime = 3600;
  idp.denies = false;
  idp.methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  idp.grants.length = 0;
  idp.refusals.length = 0;
});

const pem = (algorithm: 'RS384' | 'ES384') => {
  const pair =
    algorithm === 'RS384'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-384' });
  return {
    secret: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    jwk: JSON.stringify(pair.privateKey.export({ format: 'jwk' })),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
};

const text = (response: { json: any }) => response.json.issue[0].details.text as string;

test('sends no credentials without authentication and explains a 401', async () => {
  const connected = await connect(server, { baseUrl: idp.base });
  const response = await connected.send('GET', '/CarePlan/a');
  expect([response.status, text(response)]).toEqual([
    401,
    'The server requires credentials. Choose an authentication method in the connection.',
  ]);
  expect(response.headers.get('x-chartkeeper-connection')).toBe(connected.id);
  expect(response.headers.get('www-authenticate')).toBeNull();
  expect(idp.peer.requests.at(-1)?.headers.authorization).toBeUndefined();
});

test('sends a Bearer token unchanged and explains a missing or rejected one', async () => {
  const connected = await connect(server, { baseUrl: idp.base, authentication: { kind: 'bearer' } });
  expect((await connected.summary()).access).toBe('needs-secret');
  expect(text(await connected.send('GET', '/CarePlan/a'))).toBe('Enter this connection’s access token.');
  await server.send('PUT', `/app/connections/${connected.id}/secret`, '{"secret":"not-known"}');
  expect(await connected.summary()).toMatchObject({ access: 'ready', secretSet: true });
  const response = await connected.send('GET', '/CarePlan/a');
  expect([response.status, text(response)]).toEqual([
    401,
    'The server rejected the access token. Enter a new one in the connection.',
  ]);
  expect(idp.peer.requests.at(-1)?.headers.authorization).toBe('Bearer not-known');
  expect((await connected.summary()).accessFault).toBe(
    'The server rejected the access token. Enter a new one in the connection.',
  );
  await server.send('PUT', `/app/connections/${connected.id}/secret`, '{"secret":"another"}');
  expect(await connected.summary()).not.toHaveProperty('accessFault');
});

describe('client credentials', () => {
  const authentication = { kind: 'client-credentials', clientId: 'feed: 1' };
  const secret = 's3cret / with ünusual:letters';
  beforeAll(() => {
    idp.clients.set('feed: 1', { secret });
  });

  test.each([['client_secret_basic'], ['client_secret_post']])('%s', async (method) => {
    idp.methods = [method];
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    const response = await connected.send('GET', '/CarePlan/a');
    expect([response.status, response.text]).toEqual([200, record]);
    expect(idp.grants).toEqual(['client_credentials']);
  });

  test('does not read the SMART configuration if the endpoint is entered', async () => {
    const typedAuthentication = { ...authentication, tokenEndpoint: idp.tokenEndpoint };
    const connected = await connect(
      server,
      { baseUrl: idp.base, authentication: typedAuthentication },
      secret,
    );
    const before = idp.peer.requests.length;
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.peer.requests.slice(before).map(({ url }) => url)).toEqual([
      '/oauth/token',
      '/fhir/CarePlan/a',
    ]);
  });

  test('keeps the stored token when other settings are tested', async () => {
    const settings = { baseUrl: idp.base, authentication };
    const connected = await connect(server, settings, secret);
    await connected.send('GET', '/CarePlan/a');
    const changedSettings = { settings: { name: 'Tried', ...settings, timeoutSeconds: 7 }, id: connected.id };
    await server.send('POST', '/app/connections/test', JSON.stringify(changedSettings));
    const before = idp.grants.length;
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toHaveLength(before);
  });

  test('requests one token for a hundred concurrent requests', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => connected.send('GET', '/CarePlan/a')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(idp.grants).toHaveLength(1);
  });

  test('reuses a token and renews it before it expires', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    vi.useFakeTimers({ toFake: ['Date'] });
    await connected.send('GET', '/CarePlan/a');
    vi.setSystemTime(Date.now() + 3500_000);
    await connected.send('GET', '/CarePlan/a');
    expect(idp.grants).toHaveLength(1);
    vi.setSystemTime(Date.now() + 50_000);
    const before = idp.peer.requests.length;
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toHaveLength(2);
    // The token had not expired: no request was rejected.
    expect(idp.peer.requests.slice(before).filter(({ url }) => url === '/fhir/CarePlan/a')).toHaveLength(1);
  });

  test('renews a token once after a 401 and repeats the write', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await connected.send('GET', '/CarePlan/a');
    idp.revoke();
    const before = idp.peer.requests.length;
    expect((await connected.send('PUT', '/CarePlan/a', record)).status).toBe(200);
    expect(idp.peer.requests.slice(before).filter(({ method }) => method === 'PUT')).toHaveLength(2);
    expect(idp.grants).toHaveLength(2);
  });

  test('renews an expired token once for twenty requests', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await connected.send('GET', '/CarePlan/a');
    idp.revoke();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => connected.send('GET', '/CarePlan/a')),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(idp.grants).toHaveLength(2);
  });

  test('returns and explains a second 401', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await connected.send('GET', '/CarePlan/a');
    idp.revoke();
    idp.lifetime = 0;
    const response = await connected.send('GET', '/CarePlan/a');
    expect([response.status, text(response)]).toEqual([
      401,
      'The server rejected the token it issued. Check scopes and endpoints in the connection.',
    ]);
  });

  test('reports a wrong secret in the response and the list without quoting it', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, 'wrong-secret');
    const response = await connected.send('GET', '/CarePlan/a');
    const sentence = 'The server rejected the client ID or secret. Check both in the connection.';
    expect([response.status, text(response)]).toEqual([401, sentence]);
    expect((await connected.summary()).accessFault).toBe(sentence);
    expect(response.text).not.toContain('wrong-secret');
  });
});

describe.each(['RS384', 'ES384'] as const)('SMART Backend Services with %s', (algorithm) => {
  const keys = pem(algorithm);
  const clientId = `backend-${algorithm}`;
  const authentication = { kind: 'smart-backend', clientId, algorithm, keyId: 'k1' };
  beforeAll(() => {
    idp.clients.set(clientId, { publicKey: keys.publicKey, algorithm });
  });

  test.each([
    ['PEM', keys.secret],
    ['JWK', keys.jwk],
  ])('obtains a token with an assertion signed by a %s key', async (_form, key) => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, key);
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    expect([idp.grants, idp.refusals]).toEqual([['client_credentials'], []]);
  });

  test('reports that the server rejected another key of the same kind', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication }, pem(algorithm).secret);
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(401);
    expect(idp.refusals).toEqual(['invalid_client']);
  });

  test('rejects an invalid key at entry', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    const otherKey = pem(algorithm === 'RS384' ? 'ES384' : 'RS384').secret;
    for (const secret of ['canary-no-key', otherKey, keys.publicKey]) {
      const response = await server.send(
        'PUT',
        `/app/connections/${connected.id}/secret`,
        JSON.stringify({ secret }),
      );
      expect([response.status, response.json.issue[0].expression]).toEqual([400, ['secret']]);
      expect(response.text).not.toContain('canary');
    }
  });
});

describe('sign-in in the browser', () => {
  const authentication = { kind: 'authorization-code', clientId: 'desktop' };
  beforeAll(() => {
    idp.clients.set('desktop', {});
  });
  const signIn = async (id: string) => (await server.send('POST', `/app/connections/${id}/sign-in`)).json;

  test('sends requests with the token of a browser sign-in', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    expect((await connected.summary()).access).toBe('needs-sign-in');
    expect(text(await connected.send('GET', '/CarePlan/a'))).toBe('Sign in to this connection.');
    const { address } = await signIn(connected.id);
    expect((await connected.summary()).access).toBe('signing-in');
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const html = await page.text();
    expect(html).toContain('Signed in');
    expect(html).not.toMatch(/<script|code=|state=/);
    expect((await connected.summary()).access).toBe('ready');
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    // The test of the connection uses the token of the sign-in.
    const testResult = await server.send('POST', `/app/connections/${connected.id}/test`);
    expect(testResult.text).toContain('Token accepted.');
    expect(idp.grants).toEqual(['authorization_code']);
    // The listener has gone.
    await expect(fetch(page.url)).rejects.toThrow();
  });

  test('refreshes an expired token and requests sign-in when the refresh token has expired', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    await fetch((await signIn(connected.id)).address);
    idp.revoke();
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    idp.revoke();
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
    idp.revoke();
    idp.revokeRefresh();
    const response = await connected.send('GET', '/CarePlan/a');
    expect([response.status, text(response)]).toEqual([401, 'Your sign-in has expired. Sign in again.']);
    expect((await connected.summary()).access).toBe('needs-sign-in');
  });

  test('forgets the token at sign-out', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    await fetch((await signIn(connected.id)).address);
    expect((await server.send('POST', '/app/connections/sign-out')).status).toBe(204);
    expect((await connected.summary()).access).toBe('needs-sign-in');
    expect((await connected.send('GET', '/CarePlan/a')).status).toBe(401);
  });

  test('ignores a callback with another state and accepts the right one afterwards', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    const { address } = await signIn(connected.id);
    const callback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    for (const query of ['?code=c&state=wrong', '?code=c', '?error=access_denied&state=wrong', '']) {
      expect((await fetch(callback.href + query)).status).toBe(400);
    }
    expect((await fetch(new URL('/other', callback))).status).toBe(404);
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    expect((await connected.summary()).access).toBe('signing-in');
    expect((await fetch(address)).status).toBe(200);
    expect((await connected.summary()).access).toBe('ready');
  });

  test('rejects a code for another verifier', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    const address = new URL((await signIn(connected.id)).address);
    address.searchParams.set('code_challenge', 'A'.repeat(43));
    expect((await fetch(address)).status).toBe(400);
    expect(idp.refusals).toEqual(['invalid_grant']);
    expect((await connected.summary()).access).toBe('needs-sign-in');
  });

  test('reports a denied sign-in on the page and in the list', async () => {
    const connected = await connect(server, { baseUrl: idp.base, authentication });
    idp.denies = true;
    const page = await fetch((await signIn(connected.id)).address);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Sign-in refused.')]);
    expect((await connected.summary()).accessFault).toBe(
      'Sign-in refused. Sign in again, or ask for access.',
    );
  });

  test('rejects sign-in for a connection without it', async () => {
    const connected = await connect(server, { baseUrl: idp.base });
    expect((await server.send('POST', `/app/connections/${connected.id}/sign-in`)).status).toBe(422);
  });
});
