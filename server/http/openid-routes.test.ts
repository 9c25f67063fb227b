import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../core/app/audit.ts';
import { createOpenId } from '../openid/openid.ts';
import { clientId, clientSecret, startIssuer, type Issuer } from '../openid/testing/issuer.ts';
import { tokenFor } from '../testing/sign-in.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { sendAs } from '../testing/tokens.ts';

let issuer: Issuer;
let server: TestServer;
let log: string[];
const now = () => Math.floor(Date.now() / 1000);

const openIdSettings = () => ({
  ...{ issuer: issuer.origin, clientId, clientSecret, scope: 'openid profile' },
  ...{ nameClaim: 'preferred_username', roleClaim: ['realm', 'roles'] },
  roles: { steward: 'system/*.*', reader: 'system/CarePlan.read system/Composition.read' },
});

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({ failureLimit: Infinity }, (line) => log.push(line), {
    openId: openIdSettings(),
  });
});
afterAll(async () => {
  await server.remove();
  await issuer.close();
});
beforeEach(() => {
  log = [];
  Object.assign(issuer, { forges: false, denies: false, down: false, claims: withRoles('steward') });
});

function withRoles(...roles: string[]) {
  return { realm: { roles } };
}

/** Asks as a browser does: fetch keeps some headers for itself. */
async function get(address: string, headers: Record<string, string> = {}) {
  const sent = request(new URL(address, server.origin), { headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    location: answer.headers.location ?? '',
    cookie: answer.headers['set-cookie']?.[0] ?? '',
    type: answer.headers['content-type'] ?? '',
    text: await text(answer),
  };
}

/** A browser that went to the provider and was sent back: where to, and with which cookie. */
async function comeBack() {
  const begun = await get('/app/openid/sign-in');
  const cookie = begun.cookie.split(';')[0] ?? '';
  const there = await get(begun.location);
  return { begun, cookie, back: new URL(there.location) };
}

/** What a browser sends that another site sent here. */
const foreign = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };

const land = ({ back, cookie }: { back: URL; cookie: string }) =>
  get(back.href, { ...foreign, Cookie: `chartkeeper-pad=x; ${cookie}` });

/** Signs in to the end, as the page does with what it is sent to. */
async function signIn(): Promise<string> {
  const page = (await land(await comeBack())).text;
  return tokenFor(server.origin, /#code=([\w-]{43})"/.exec(page)?.[1] ?? page);
}

const statusOf = async (token: string, path = '/app/overview', method = 'GET') =>
  (await sendAs(server, `Bearer ${token}`, method, path)).status;

test('a sign-in goes by PKCE, state and nonce to the provider, and comes back as a code that works once', async () => {
  expect(JSON.parse((await get('/app/openid')).text)).toEqual({
    address: `${server.origin}/app/openid/sign-in`,
  });
  const came = await comeBack();
  const asked = new URL(came.begun.location).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    ...{ response_type: 'code', client_id: clientId, code_challenge_method: 'S256' },
    redirect_uri: `${server.origin}/app/openid/callback`,
    ...{ scope: 'openid profile', state: expect.any(String), nonce: expect.any(String) },
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
  // Nor does the provider's code work twice.
  expect((await land(came)).status).toBe(400);
});

test('what is written bears the person’s name, with a mark by which no other passes for them', async () => {
  issuer.claims = { ...withRoles('steward'), preferred_username: 'owner' };
  const token = await signIn();
  const made = await sendAs(server, `Bearer ${token}`, 'POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/1'));
  expect(made.status).toBe(201);
  const named = /^owner \([0-9a-f]{8}\)$/;
  const entries = async () => (await server.send('GET', '/app/audit')).json.entries as AuditEntry[];
  await expect
    .poll(async () => (await entries()).find(({ action }) => action === 'create')?.who)
    .toMatch(named);
  expect((await entries()).find(({ action }) => action === 'sign-in')?.who).toMatch(named);
});

test('roles become the scopes of the table, all of them; no query is in the trail or the log', async () => {
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

const nothing = () => undefined;

const refusals: [string, () => void, (back: URL) => void, number, RegExp][] = [
  ['another state', nothing, (back) => back.searchParams.set('state', 'x'), 403, /not-fitting/],
  ['no state', nothing, (back) => back.searchParams.delete('state'), 403, /not-fitting/],
  ['another code', nothing, (back) => back.searchParams.set('code', 'x'), 403, /invalid_grant/],
  ['another nonce', () => (issuer.claims.nonce = 'x'), nothing, 403, /CLAIM/],
  ['another audience', () => (issuer.claims.aud = 'x'), nothing, 403, /CLAIM/],
  ['another issuer', () => (issuer.claims.iss = 'https://x.example'), nothing, 403, /CLAIM/],
  ['a token that has expired', () => (issuer.claims.exp = now() - 60), nothing, 403, /TIMESTAMP/],
  ['another key', () => (issuer.forges = true), nothing, 403, /not-fitting/],
  ['a denial', () => (issuer.denies = true), nothing, 403, /refused-there \(access_denied\)/],
  ['an unknown role', () => (issuer.claims = withRoles('visitor')), nothing, 403, /no-role/],
  ['no role', () => (issuer.claims = {}), nothing, 403, /no-role/],
  ['a name of every object', () => (issuer.claims = withRoles('constructor')), nothing, 403, /no-role/],
];

test.each(refusals)('with %s nobody is signed in', async (_, prepare, change, status, why) => {
  prepare();
  const came = await comeBack();
  change(came.back);
  const landed = await land(came);
  expect(landed.status).toBe(status);
  expect(landed.text).not.toContain('#code=');
  expect(landed.text).toContain('Back to the sign-in');
  expect(log).toEqual([expect.stringMatching(why)]);
  expect(log.join()).not.toContain(came.back.searchParams.get('code') ?? '#');
  // What was begun is over: the right answer comes too late.
  expect((await land(came)).status).toBe(400);
});

test('ends a sign-in 12 hours after the provider was asked, however late its code is used', async () => {
  const asked = Date.UTC(2026, 0, 1);
  const openId = createOpenId({
    ...{ settings: openIdSettings(), base: () => server.origin },
    clock: () => asked,
  });
  const begun = await openId.begin('');
  if ('fault' in begun) throw new Error(begun.fault);
  const { location } = await get(begun.address);
  const ended = await openId.end(begun.browser, new URL(location).search.slice(1));
  expect(ended).toMatchObject({ grant: { until: asked + 12 * 3_600_000 } });
});

test('logs a known word for what a provider is said to answer, and nothing else of it', async () => {
  const came = await comeBack();
  came.back.search = `?state=${came.back.searchParams.get('state')}&error=x%0A2026-01-01T00:00:00Z%20forged%20canary`;
  expect((await land(came)).status).toBe(403);
  expect(log).toEqual(['OpenID sign-in refused: refused-there (another error)']);
});

test('logs no more refused sign-ins of an address in a minute than it lets try', async () => {
  const lines: string[] = [];
  const limited = await startTestServer({ failureLimit: 5 }, (line) => lines.push(line), {
    openId: openIdSettings(),
  });
  onTestFinished(() => limited.remove());
  const statuses: number[] = [];
  for (let turn = 0; turn < 8; turn += 1)
    statuses.push((await get(`${limited.origin}/app/openid/callback?error=x`)).status);
  expect(statuses).toEqual([...Array<number>(5).fill(400), ...Array<number>(3).fill(429)]);
  expect(lines).toEqual(Array(5).fill('OpenID sign-in refused: not-begun-here'));
});

test('refuses the starts of one network once 200 were begun in a minute, and ends what others began', async () => {
  const limited = await startTestServer({}, (line) => log.push(line), { openId: openIdSettings() });
  onTestFinished(() => limited.remove());
  const start = () => get(`${limited.origin}/app/openid/sign-in`);
  const first = await start();
  const statuses: number[] = [];
  for (let turn = 0; turn < 200; turn += 1) statuses.push((await start()).status);
  expect(statuses).toEqual([...Array<number>(199).fill(302), 429]);
  const refused = await start();
  expect(refused.text).toContain('Wait a minute');
  const cookie = first.cookie.split(';')[0] ?? '';
  const back = new URL((await get(first.location)).location);
  expect((await get(back.href, { ...foreign, Cookie: cookie })).status).toBe(200);
});

test('another browser, or one that began nothing, ends no sign-in', async () => {
  const [one, other] = [await comeBack(), await comeBack()];
  expect((await land({ back: one.back, cookie: '' })).status).toBe(400);
  expect((await land({ back: one.back, cookie: other.cookie })).status).toBe(403);
  expect((await land(one)).status).toBe(200);
});

test('a provider that does not answer is a page that says so', async () => {
  const came = await comeBack();
  issuer.down = true;
  expect((await land(came)).status).toBe(502);
});

test('from another site a navigation to the end of a sign-in arrives, and nothing else', async () => {
  const path = '/app/openid/callback';
  expect((await get(path, foreign)).status).toBe(400);
  for (const headers of [
    { ...foreign, 'Sec-Fetch-Mode': 'cors' },
    { ...foreign, Origin: 'https://x.example' },
  ]) {
    const refused = await get(path, headers);
    expect([refused.status, refused.type]).toEqual([403, expect.stringContaining('json')]);
  }
  expect((await get('/', foreign)).status).toBe(403);
  expect((await get('/app/openid/sign-in', foreign)).status).toBe(403);
});

test('a sign-out ends every session of the person, names the provider’s own, and ends nobody else’s', async () => {
  const [first, second] = [await signIn(), await signIn()];
  const made = await sendAs(server, `Bearer ${second}`, 'POST', '/app/sign-in-codes', '{}');
  const passedOn = await tokenFor(server.origin, made.json.code);
  const asked = JSON.stringify({ name: 'tool', scopes: ['system/*.*'] });
  const minted = await sendAs(server, `Bearer ${second}`, 'POST', '/app/tokens', asked);
  const listed = (await server.send('GET', '/app/tokens')).json[0];
  expect(Date.parse(listed.expires) - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
  issuer.claims = { ...withRoles('steward'), sub: 'subject-2' };
  const other = await signIn();
  const out = await sendAs(server, `Bearer ${first}`, 'POST', '/app/sign-out');
  expect(out.status).toBe(200);
  const address = new URL(out.json.address);
  expect(address.origin + address.pathname).toBe(`${issuer.origin}/sign-out`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: clientId,
    post_logout_redirect_uri: `${server.origin}/`,
  });
  const states = [first, second, passedOn, minted.json.token, other].map((token) => statusOf(token));
  expect(await Promise.all(states)).toEqual([401, 401, 401, 401, 200]);
  const own = await tokenFor(server.origin, await server.signInCode());
  expect(await statusOf(own, '/app/sign-out', 'POST')).toBe(204);
});

test('without a provider none is offered, and its addresses are not there', async () => {
  const without = await startTestServer();
  expect(await (await fetch(`${without.origin}/app/openid`)).json()).toEqual({});
  expect((await fetch(`${without.origin}/app/openid/callback`)).status).toBe(401);
  await without.remove();
});
