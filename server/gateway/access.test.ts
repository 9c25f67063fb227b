import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect } from './testing/connect.ts';
import { startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { fhir } from './testing/peer.ts';

const record = '{"resourceType":"CarePlan","id":"a"}';

let server: TestServer;
let idp: IdentityProvider;
beforeAll(async () => {
  server = await startTestServer();
  idp = await startIdentityProvider((_seen, response) => fhir(response, 200, record));
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

const text = (answer: { json: any }) => answer.json.issue[0].details.text as string;

test('no authentication sends none, and says what to do where the server wants some', async () => {
  const there = await connect(server, { baseUrl: idp.base });
  const answer = await there.send('GET', '/CarePlan/a');
  expect([answer.status, text(answer)]).toEqual([
    401,
    'The server asks for credentials. Choose an authentication in the connection.',
  ]);
  expect(answer.headers.get('x-chartkeeper-connection')).toBe(there.id);
  expect(answer.headers.get('www-authenticate')).toBeNull();
  expect(idp.peer.seen.at(-1)?.headers.authorization).toBeUndefined();
});

test('a Bearer token is sent as it is; without one, or where it is refused, the answer says what to do', async () => {
  const there = await connect(server, { baseUrl: idp.base, authentication: { kind: 'bearer' } });
  expect((await there.summary()).access).toBe('needs-secret');
  expect(text(await there.send('GET', '/CarePlan/a'))).toBe('Enter the access token of this connection.');
  await server.send('PUT', `/app/connections/${there.id}/secret`, '{"secret":"not-known"}');
  expect(await there.summary()).toMatchObject({ access: 'ready', secretSet: true });
  const answer = await there.send('GET', '/CarePlan/a');
  expect([answer.status, text(answer)]).toEqual([
    401,
    'The server refuses the access token. Enter a new one in the connection.',
  ]);
  expect(idp.peer.seen.at(-1)?.headers.authorization).toBe('Bearer not-known');
  expect((await there.summary()).accessFault).toBe(
    'The server refuses the access token. Enter a new one in the connection.',
  );
  await server.send('PUT', `/app/connections/${there.id}/secret`, '{"secret":"another"}');
  expect(await there.summary()).not.toHaveProperty('accessFault');
});

describe('client credentials', () => {
  const authentication = { kind: 'client-credentials', clientId: 'feed: 1' };
  const secret = 's3cret / with ünusual:letters';
  beforeAll(() => {
    idp.clients.set('feed: 1', { secret });
  });

  test.each([['client_secret_basic'], ['client_secret_post']])('%s', async (method) => {
    idp.methods = [method];
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    const answer = await there.send('GET', '/CarePlan/a');
    expect([answer.status, answer.text]).toEqual([200, record]);
    expect(idp.grants).toEqual(['client_credentials']);
  });

  test('with a typed endpoint the SMART configuration is not read', async () => {
    const typed = { ...authentication, tokenEndpoint: idp.tokenEndpoint };
    const there = await connect(server, { baseUrl: idp.base, authentication: typed }, secret);
    const before = idp.peer.seen.length;
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.peer.seen.slice(before).map(({ url }) => url)).toEqual(['/oauth/token', '/fhir/CarePlan/a']);
  });

  test('a test of other settings leaves the token of the stored ones', async () => {
    const settings = { baseUrl: idp.base, authentication };
    const there = await connect(server, settings, secret);
    await there.send('GET', '/CarePlan/a');
    const tried = { settings: { name: 'Tried', ...settings, timeoutSeconds: 7 }, id: there.id };
    await server.send('POST', '/app/connections/test', JSON.stringify(tried));
    const before = idp.grants.length;
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toHaveLength(before);
  });

  test('a hundred requests at once ask for one token', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    const all = await Promise.all(Array.from({ length: 100 }, () => there.send('GET', '/CarePlan/a')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(idp.grants).toHaveLength(1);
  });

  test('a token is renewed before it ends, and kept until then', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    vi.useFakeTimers({ toFake: ['Date'] });
    await there.send('GET', '/CarePlan/a');
    vi.setSystemTime(Date.now() + 3500_000);
    await there.send('GET', '/CarePlan/a');
    expect(idp.grants).toHaveLength(1);
    vi.setSystemTime(Date.now() + 50_000);
    const before = idp.peer.seen.length;
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toHaveLength(2);
    // It had not ended: no request was refused.
    expect(idp.peer.seen.slice(before).filter(({ url }) => url === '/fhir/CarePlan/a')).toHaveLength(1);
  });

  test('a token that ended early is renewed once after a 401, and the write is sent again', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await there.send('GET', '/CarePlan/a');
    idp.revoke();
    const before = idp.peer.seen.length;
    expect((await there.send('PUT', '/CarePlan/a', record)).status).toBe(200);
    expect(idp.peer.seen.slice(before).filter(({ method }) => method === 'PUT')).toHaveLength(2);
    expect(idp.grants).toHaveLength(2);
  });

  test('twenty requests with an ended token renew it once', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await there.send('GET', '/CarePlan/a');
    idp.revoke();
    const all = await Promise.all(Array.from({ length: 20 }, () => there.send('GET', '/CarePlan/a')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(idp.grants).toHaveLength(2);
  });

  test('a second 401 is answered, and says what to do', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, secret);
    await there.send('GET', '/CarePlan/a');
    idp.revoke();
    idp.lifetime = 0;
    const answer = await there.send('GET', '/CarePlan/a');
    expect([answer.status, text(answer)]).toEqual([
      401,
      'The server refuses the token that it gave. Check scope and endpoints in the connection.',
    ]);
  });

  test('a wrong secret is told, in the answer and in the list, without a word of it', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, 'wrong-secret');
    const answer = await there.send('GET', '/CarePlan/a');
    const sentence = 'The server does not accept the client id or its secret. Check both in the connection.';
    expect([answer.status, text(answer)]).toEqual([401, sentence]);
    expect((await there.summary()).accessFault).toBe(sentence);
    expect(answer.text).not.toContain('wrong-secret');
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
  ])('an assertion signed with a %s key obtains a token', async (_form, key) => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, key);
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    expect([idp.grants, idp.refusals]).toEqual([['client_credentials'], []]);
  });

  test('another key of the kind is refused by the server', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication }, pem(algorithm).secret);
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(401);
    expect(idp.refusals).toEqual(['invalid_client']);
  });

  test('what is no such key is refused when it is entered', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    const other = pem(algorithm === 'RS384' ? 'ES384' : 'RS384').secret;
    for (const secret of ['canary-no-key', other, keys.publicKey]) {
      const answer = await server.send(
        'PUT',
        `/app/connections/${there.id}/secret`,
        JSON.stringify({ secret }),
      );
      expect([answer.status, answer.json.issue[0].expression]).toEqual([400, ['secret']]);
      expect(answer.text).not.toContain('canary');
    }
  });
});

describe('sign-in in the browser', () => {
  const authentication = { kind: 'authorization-code', clientId: 'desktop' };
  beforeAll(() => {
    idp.clients.set('desktop', {});
  });
  const signIn = async (id: string) => (await server.send('POST', `/app/connections/${id}/sign-in`)).json;

  test('the browser goes there and back, and the requests carry the token', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    expect((await there.summary()).access).toBe('needs-sign-in');
    expect(text(await there.send('GET', '/CarePlan/a'))).toBe('Sign in to this connection.');
    const { address } = await signIn(there.id);
    expect((await there.summary()).access).toBe('signing-in');
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const html = await page.text();
    expect(html).toContain('Signed in');
    expect(html).not.toMatch(/<script|code=|state=/);
    expect((await there.summary()).access).toBe('ready');
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    // Its test goes as who signed in.
    const tried = await server.send('POST', `/app/connections/${there.id}/test`);
    expect(tried.text).toContain('The token is taken.');
    expect(idp.grants).toEqual(['authorization_code']);
    // The listener has gone.
    await expect(fetch(page.url)).rejects.toThrow();
  });

  test('the refresh token renews it; when that has ended, a new sign-in is asked for', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    await fetch((await signIn(there.id)).address);
    idp.revoke();
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    idp.revoke();
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
    expect(idp.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
    idp.revoke();
    idp.revokeRefresh();
    const answer = await there.send('GET', '/CarePlan/a');
    expect([answer.status, text(answer)]).toEqual([401, 'The sign-in has ended. Sign in again.']);
    expect((await there.summary()).access).toBe('needs-sign-in');
  });

  test('signing out forgets the token', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    await fetch((await signIn(there.id)).address);
    expect((await server.send('POST', '/app/connections/sign-out')).status).toBe(204);
    expect((await there.summary()).access).toBe('needs-sign-in');
    expect((await there.send('GET', '/CarePlan/a')).status).toBe(401);
  });

  test('an answer with another state changes nothing, and the right one still comes through', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    const { address } = await signIn(there.id);
    const callback = new URL(new URL(address).searchParams.get('redirect_uri') ?? '');
    for (const query of ['?code=c&state=wrong', '?code=c', '?error=access_denied&state=wrong', '']) {
      expect((await fetch(callback.href + query)).status).toBe(400);
    }
    expect((await fetch(new URL('/other', callback))).status).toBe(404);
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    expect((await there.summary()).access).toBe('signing-in');
    expect((await fetch(address)).status).toBe(200);
    expect((await there.summary()).access).toBe('ready');
  });

  test('a code for another verifier is worth nothing', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    const address = new URL((await signIn(there.id)).address);
    address.searchParams.set('code_challenge', 'A'.repeat(43));
    expect((await fetch(address)).status).toBe(400);
    expect(idp.refusals).toEqual(['invalid_grant']);
    expect((await there.summary()).access).toBe('needs-sign-in');
  });

  test('a refusal is told on the page and in the list', async () => {
    const there = await connect(server, { baseUrl: idp.base, authentication });
    idp.denies = true;
    const page = await fetch((await signIn(there.id)).address);
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining('The sign-in was refused.'),
    ]);
    expect((await there.summary()).accessFault).toBe(
      'The sign-in was refused. Sign in again, or ask for the right to.',
    );
  });

  test('a connection without sign-in refuses one', async () => {
    const there = await connect(server, { baseUrl: idp.base });
    expect((await server.send('POST', `/app/connections/${there.id}/sign-in`)).status).toBe(422);
  });
});
