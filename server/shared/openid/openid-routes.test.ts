import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../core/app/audit.ts';
import { createOpenId } from './openid.ts';
import { createProvider } from './openid-routes.ts';
import { clientId, clientSecret, startIssuer, type Issuer } from './testing/issuer.ts';
import { tokenFor } from '../../testing/sign-in.ts';
import { carePlan, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { sendAs } from '../../testing/tokens.ts';

let issuer: Issuer;
let server: TestServer;
let log: string[];
const now = () => Math.floor(Date.now() / 1000);

const openIdSettings = () => ({
  issuer: issuer.origin,
  clientId,
  clientSecret,
  scope: 'openid profile',
  nameClaim: 'preferred_username',
  roleClaim: ['realm', 'roles'],
  roles: { steward: 'system/*.*', reader: 'system/CarePlan.read system/Composition.read' },
});

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({ failureLimit: Infinity }, (line) => log.push(line), {
    openId: createProvider(openIdSettings()),
  });
});
afterAll(async () => {
  await server.remove();
  await issuer.close();
});
beforeEach(() => {
  log = [];
  Object.assign(issuer, {
    forges: false,
    denies: false,
    down: false,
    error: '',
    claims: withRoles('steward'),
  });
});

function withRoles(...roles: string[]) {
  return { realm: { roles } };
}

/** Sends a request like a browser, because fetch reserves some headers. */
async function get(address: string, headers: Record<string, string> = {}) {
  const sentRequest = request(new URL(address, server.origin), { headers }).end();
  const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    location: answer.headers.location ?? '',
    cookie: answer.headers['set-cookie']?.[0] ?? '',
    type: answer.headers['content-type'] ?? '',
    text: await text(answer),
  };
}

/** Follows a browser to the provider and back. Returns the return address and the cookie. */
async function returnFromProvider() {
  const startResponse = await get('/app/openid/sign-in');
  const cookie = startResponse.cookie.split(';')[0] ?? '';
  const providerResponse = await get(startResponse.location);
  return { begun: startResponse, cookie, back: new URL(providerResponse.location) };
}

/** Headers of a browser that comes from another site. */
const foreign = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };

const land = ({ back, cookie }: { back: URL; cookie: string }) =>
  get(back.href, { ...foreign, Cookie: `chartkeeper-pad=x; ${cookie}` });

/** Signs in completely, like the page. */
async function signIn(): Promise<string> {
  const page = (await land(await returnFromProvider())).text;
  return tokenFor(server.origin, /#code=([\w-]{43})"/.exec(page)?.[1] ?? page);
}

const statusOf = async (token: string, path = '/app/overview', method = 'GET') =>
  (await sendAs(server, `Bearer ${token}`, method, path)).status;

test('signs in with PKCE, state and nonce and returns a code for one use', async () => {
  expect(JSON.parse((await get('/app/openid')).text)).toEqual({
    address: `${server.origin}/app/openid/sign-in`,
  });
  const came = await returnFromProvider();
  const authorizationQuery = new URL(came.begun.location).searchParams;
  expect(Object.fromEntries(authorizationQuery)).toMatchObject({
    response_type: 'code',
    client_id: clientId,
    code_challenge_method: 'S256',
    redirect_uri: `${server.origin}/app/openid/callback`,
    scope: 'openid profile',
    state: expect.any(String),
    nonce: expect.any(String),
  });
  expect(came.begun.cookie).toMatch(
    /^chartkeeper-openid=[\w-]{43}; Path=\/app\/openid; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  const landed = await land(came);
  expect(landed.status).toBe(200);
  expect(landed.cookie).toContain('Max-Age=0');
  const code = /content="0;url=\/#code=([\w-]{43})"/.exec(landed.text)?.[1] ?? '';
  const token = await tokenFor(server.origin, code);
  expect(await statusOf(token)).toBe(200);
  await expect(tokenFor(server.origin, code)).rejects.toThrow('401');
  // The provider's code also works only once.
  expect((await land(came)).status).toBe(400);
});

test('marks the author of an OpenID session, so that no other name matches it', async () => {
  issuer.claims = { ...withRoles('steward'), preferred_username: 'owner' };
  const token = await signIn();
  const createResponse = await sendAs(
    server,
    `Bearer ${token}`,
    'POST',
    '/fhir-r4/v1/CarePlan',
    carePlan('Patient/1'),
  );
  expect(createResponse.status).toBe(201);
  const markedName = /^owner \([0-9a-f]{8}\)$/;
  const entries = async () => (await server.send('GET', '/app/audit')).json.entries as AuditEntry[];
  await expect
    .poll(async () => (await entries()).find(({ action }) => action === 'create')?.who)
    .toMatch(markedName);
  expect((await entries()).find(({ action }) => action === 'sign-in')?.who).toMatch(markedName);
});

test('maps all roles to scopes and keeps queries out of the audit log and the log', async () => {
  issuer.claims = withRoles('reader', 'unknown');
  const token = await signIn();
  expect(await statusOf(token, '/fhir-r4/v1/CarePlan?subject=a')).toBe(200);
  expect(await statusOf(token, '/fhir-r4/v1/CarePlan', 'POST')).toBe(403);
  expect(await statusOf(token)).toBe(403);
  issuer.claims = withRoles('reader', 'steward');
  expect(await statusOf(await signIn())).toBe(200);
  const trail = (await server.send('GET', '/app/audit')).text;
  expect(trail).toContain('/app/openid/callback');
  expect(trail).not.toMatch(/state=|code=/);
  expect(log).toEqual([]);
});

const doNothing = () => undefined;

const rejections: [string, () => void, (back: URL) => void, number, RegExp][] = [
  ['another state', doNothing, (back) => back.searchParams.set('state', 'x'), 403, /not-fitting/],
  ['no state', doNothing, (back) => back.searchParams.delete('state'), 403, /not-fitting/],
  ['another code', doNothing, (back) => back.searchParams.set('code', 'x'), 403, /invalid_grant/],
  ['another nonce', () => (issuer.claims.nonce = 'x'), doNothing, 403, /CLAIM/],
  ['another audience', () => (issuer.claims.aud = 'x'), doNothing, 403, /CLAIM/],
  ['another issuer', () => (issuer.claims.iss = 'https://x.example'), doNothing, 403, /CLAIM/],
  ['a token that has expired', () => (issuer.claims.exp = now() - 60), doNothing, 403, /TIMESTAMP/],
  ['another key', () => (issuer.forges = true), doNothing, 403, /not-fitting/],
  ['a denial', () => (issuer.denies = true), doNothing, 403, /refused-there \(access_denied\)/],
  ['an unknown role', () => (issuer.claims = withRoles('visitor')), doNothing, 403, /no-role/],
  ['no role', () => (issuer.claims = {}), doNothing, 403, /no-role/],
  ['a name of every object', () => (issuer.claims = withRoles('constructor')), doNothing, 403, /no-role/],
];

test.each(rejections)('rejects a sign-in with %s', async (_, prepare, change, status, reason) => {
  prepare();
  const came = await returnFromProvider();
  change(came.back);
  const landed = await land(came);
  expect(landed.status).toBe(status);
  expect(landed.text).not.toContain('#code=');
  expect(landed.text).toContain('Back to sign-in');
  expect(log).toEqual([expect.stringMatching(reason)]);
  expect(log.join()).not.toContain(came.back.searchParams.get('code') ?? '#');
  // The sign-in has ended, so the right response comes too late.
  expect((await land(came)).status).toBe(400);
});

test('limits a session to 12 hours from the provider request, even for a late code', async () => {
  const requestedAtMs = Date.UTC(2026, 0, 1);
  let time = requestedAtMs;
  const openId = createOpenId({
    settings: openIdSettings(),
    base: () => server.origin,
    clock: () => time,
  });
  // The provider reads the claims with its response, an hour after the request.
  issuer.claims = {
    get realm() {
      time += 3_600_000;
      return { roles: ['steward'] };
    },
  };
  const startedSignIn = await openId.start('');
  if ('fault' in startedSignIn) throw new Error(startedSignIn.fault);
  const { location } = await get(startedSignIn.address);
  const result = await openId.finish(startedSignIn.browser, new URL(location).search.slice(1));
  expect(result).toMatchObject({ grant: { until: requestedAtMs + 12 * 3_600_000 } });
});

test('logs only a known word of an error in the response of a provider', async () => {
  const came = await returnFromProvider();
  came.back.search = `?state=${came.back.searchParams.get('state')}&error=x%0A2026-01-01T00:00:00Z%20forged%20canary`;
  expect((await land(came)).status).toBe(403);
  expect(log).toEqual(['OpenID sign-in refused: refused-there (another error)']);
});

test('logs a known word for the error of a token endpoint', async () => {
  issuer.error = 'canary_error';
  expect((await land(await returnFromProvider())).status).toBe(403);
  expect(log).toEqual(['OpenID sign-in refused: not-fitting (another error)']);
});

test('limits logged rejections per address to the sign-in limit', async () => {
  const lines: string[] = [];
  const limitedServer = await startTestServer({ failureLimit: 5 }, (line) => lines.push(line), {
    openId: createProvider(openIdSettings()),
  });
  onTestFinished(() => limitedServer.remove());
  const statuses: number[] = [];
  for (let turn = 0; turn < 8; turn += 1)
    statuses.push((await get(`${limitedServer.origin}/app/openid/callback?error=x`)).status);
  expect(statuses).toEqual([...Array<number>(5).fill(400), ...Array<number>(3).fill(429)]);
  expect(lines).toEqual(Array(5).fill('OpenID sign-in refused: not-begun-here'));
});

test('rejects further starts of a network after 200 per minute but completes earlier ones', async () => {
  const limitedServer = await startTestServer({}, (line) => log.push(line), {
    openId: createProvider(openIdSettings()),
  });
  onTestFinished(() => limitedServer.remove());
  const start = () => get(`${limitedServer.origin}/app/openid/sign-in`);
  const firstStart = await start();
  const statuses: number[] = [];
  for (let turn = 0; turn < 200; turn += 1) statuses.push((await start()).status);
  expect(statuses).toEqual([...Array<number>(199).fill(302), 429]);
  const rejection = await start();
  expect(rejection.text).toContain('Too many sign-ins');
  const cookie = firstStart.cookie.split(';')[0] ?? '';
  const back = new URL((await get(firstStart.location)).location);
  expect((await get(back.href, { ...foreign, Cookie: cookie })).status).toBe(200);
});

test('completes no sign-in of another browser', async () => {
  const [firstReturn, otherReturn] = [await returnFromProvider(), await returnFromProvider()];
  expect((await land({ back: firstReturn.back, cookie: '' })).status).toBe(400);
  expect((await land({ back: firstReturn.back, cookie: otherReturn.cookie })).status).toBe(403);
  expect((await land(firstReturn)).status).toBe(200);
});

test('shows a page if the provider does not respond', async () => {
  const came = await returnFromProvider();
  issuer.down = true;
  expect((await land(came)).status).toBe(502);
});

test('accepts only a navigation to the callback from another site', async () => {
  const path = '/app/openid/callback';
  expect((await get(path, foreign)).status).toBe(400);
  for (const headers of [
    { ...foreign, 'Sec-Fetch-Mode': 'cors' },
    { ...foreign, Origin: 'https://x.example' },
  ]) {
    const rejection = await get(path, headers);
    expect([rejection.status, rejection.type]).toEqual([403, expect.stringContaining('json')]);
  }
  expect((await get('/', foreign)).status).toBe(403);
  expect((await get('/app/openid/sign-in', foreign)).status).toBe(403);
});

test('signs out all sessions of the person only and names the provider’s sign-out', async () => {
  const [firstToken, secondToken] = [await signIn(), await signIn()];
  const codeResponse = await sendAs(server, `Bearer ${secondToken}`, 'POST', '/app/sign-in-codes', '{}');
  const derivedToken = await tokenFor(server.origin, codeResponse.json.code);
  const tokenRequest = JSON.stringify({ name: 'tool', scopes: ['system/*.*'] });
  const minted = await sendAs(server, `Bearer ${secondToken}`, 'POST', '/app/tokens', tokenRequest);
  const listedToken = (await server.send('GET', '/app/tokens')).json[0];
  expect(Date.parse(listedToken.expires) - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
  issuer.claims = { ...withRoles('steward'), sub: 'subject-2' };
  const otherToken = await signIn();
  const signOutResponse = await sendAs(server, `Bearer ${firstToken}`, 'POST', '/app/sign-out');
  expect(signOutResponse.status).toBe(200);
  const address = new URL(signOutResponse.json.address);
  expect(address.origin + address.pathname).toBe(`${issuer.origin}/sign-out`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: clientId,
    post_logout_redirect_uri: `${server.origin}/`,
  });
  const states = [firstToken, secondToken, derivedToken, minted.json.token, otherToken].map((token) =>
    statusOf(token),
  );
  expect(await Promise.all(states)).toEqual([401, 401, 401, 401, 200]);
  const ownToken = await tokenFor(server.origin, await server.signInCode());
  expect(await statusOf(ownToken, '/app/sign-out', 'POST')).toBe(204);
});

test('offers no provider and no OpenID addresses without settings', async () => {
  const plainServer = await startTestServer();
  expect(await (await fetch(`${plainServer.origin}/app/openid`)).json()).toEqual({});
  expect((await fetch(`${plainServer.origin}/app/openid/callback`)).status).toBe(401);
  await plainServer.remove();
});
