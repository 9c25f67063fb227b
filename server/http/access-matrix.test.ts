/** Every route by every scope by every state of a token, against a table that knows nothing of the server's code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes, type Operation } from '../../core/api/contract.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

/** The letter that each operation needs; `open` needs no token. */
const needs: Record<Operation, 'c' | 'r' | 'u' | 's' | 'open'> = {
  metadata: 'open',
  search: 's',
  'search-post': 's',
  create: 'c',
  validate: 'r',
  'validate-stored': 'r',
  'validate-instance': 'r',
  document: 'r',
  'document-post': 'r',
  'history-type': 's',
  read: 'r',
  update: 'u',
  patch: 'u',
  'history-instance': 'r',
  vread: 'r',
};

/** Letters of each suffix: v1 written out, v2 every selection of c r u d s in that order that allows something. */
const suffixes: (readonly [suffix: string, letters: string])[] = [
  ['read', 'rs'],
  ['write', 'cu'],
  ['*', 'crus'],
  ...Array.from({ length: 32 }, (_, bits) =>
    ['c', 'r', 'u', 'd', 's'].filter((_, index) => bits & (1 << index)).join(''),
  )
    .filter((letters) => letters !== '' && letters !== 'd')
    .map((letters) => [letters, letters] as const),
];

const scopes = ['system', 'user']
  .flatMap((context) =>
    ['CarePlan', 'Composition', '*'].flatMap((type) =>
      suffixes.map(([suffix, letters]) => ({ scope: `${context}/${type}.${suffix}`, type, letters })),
    ),
  )
  .map((row, number) => ({ ...row, number }));

/** The one scope that the app's own addresses take. */
const everything = 'system/*.*';

/** Each scope but that one is tried at every so many of the app's addresses, each address by dozens of scopes. */
const stride = 6;

const addresses = ['CarePlan', 'Composition'].flatMap((type) =>
  routes
    .filter(({ operation }) => needs[operation] !== 'open')
    .map(({ operation, method, path, consumes }) => ({
      type,
      method,
      needed: needs[operation],
      path: `/fhir-r4/v1${path.replace(':type', type).replace(':id', 'x').replace(':vid', '1')}`,
      ...(consumes[0] !== undefined && { body: '{}', headers: { 'Content-Type': consumes[0] } }),
    })),
);

const appAddresses = [
  ['GET', '/app/changes'],
  ['GET', '/app/companions'],
  ['DELETE', '/app/companions'],
  ['GET', '/app/companions/resolve?reference=Patient/x'],
  ['GET', '/app/companions/export'],
  ['DELETE', '/app/companions/Patient'],
  ['GET', '/app/companions/Patient/x'],
  ['GET', '/app/packages'],
  ['POST', '/app/packages'],
  ['POST', '/app/packages/look'],
  ['DELETE', '/app/packages/x'],
  ['GET', '/app/profiles?url=x'],
  ['POST', '/app/profiles/findings'],
  ['GET', '/app/overview'],
  ['GET', '/app/overview/records'],
  ['POST', '/app/quality/judge'],
  ['PUT', '/app/quality/states'],
  ['GET', '/app/quality/measures'],
  ['GET', '/app/backups'],
  ['POST', '/app/backups'],
  ['PUT', '/app/backups/second-place'],
  ['POST', '/app/backups/x/restore'],
  ['GET', '/app/preferences'],
  ['PUT', '/app/preferences'],
  ['GET', '/app/tokens'],
  ['POST', '/app/tokens'],
  ['DELETE', '/app/tokens/x'],
  ['GET', '/app/activity'],
  ['POST', '/app/activity'],
  ['DELETE', '/app/activity'],
  ['POST', '/app/recents'],
  ['GET', '/app/searches'],
  ['POST', '/app/issue-counts'],
  ['GET', '/app/facets/CarePlan/status'],
  ['POST', '/app/subject-names'],
  ['POST', '/app/reference-names'],
  ['GET', '/app/connections'],
  ['POST', '/app/connections'],
  ['GET', '/app/connections/x'],
  ['PUT', '/app/connections/x'],
  ['DELETE', '/app/connections/x'],
  ['PUT', '/app/connections/x/secret'],
  ['DELETE', '/app/connections/x/secret'],
  ['POST', '/app/connections/x/test'],
  ['POST', '/app/connections/x/sign-in'],
  ['POST', '/app/connections/x/sign-out'],
  ['POST', '/app/connections/sign-out'],
  ['GET', '/app/connections/x/page'],
  ['GET', '/app/connections/x/fhir-r4/v1/CarePlan/a'],
  ['PUT', '/app/connections/x/fhir-r4/v1/CarePlan/a'],
] as const;

/** Every row of the tables of the app's own addresses, as the sources have them: one that is new is in it. */
const allRows = globSync('*-routes.ts', { cwd: import.meta.dirname }).flatMap((file) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  const rows = source.matchAll(/\{\s+method: '(\w+)',\s+path: '(\/app\/[^']+)'/g);
  return [...rows].map(([, method = '', path = '']): [string, string] => [
    method,
    path.replaceAll(/:\w+/g, 'x'),
  ]);
});

/** Who comes here has no token yet. */
const signInAddresses = ['/app/sign-in', '/app/openid'];
/** Who has any token may end it. */
const signOutAddress = '/app/sign-out';
const tableRows = allRows.filter(([, path]) => !signInAddresses.includes(path));
const ownersRows = tableRows.filter(([, path]) => path !== signOutAddress);

/** Scopes of much, none of them everything. */
const wide = ['system/*.cruds', 'user/*.*', 'system/CarePlan.*', 'system/*.write'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity });
});
afterAll(() => server.remove());

const classOf = (status: number) => (status === 401 || status === 403 ? status : 'passed');

test('the matrix knows every operation of the contract, and each needs what the contract says', () => {
  expect(Object.fromEntries(routes.map(({ operation, access }) => [operation, access]))).toEqual(needs);
});

test.each(scopes)('$scope allows its letters for its type, and the rest is 403', async (row) => {
  const { token } = await mint(server, [row.scope]);
  const found: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const { type, method, path, needed, body, headers } of addresses) {
    const { status } = await sendAs(server, `Bearer ${token}`, method, path, body, headers);
    const allowed = (row.type === '*' || row.type === type) && row.letters.includes(needed);
    found[`${method} ${path}`] = classOf(status);
    expected[`${method} ${path}`] = allowed ? 'passed' : 403;
  }
  const isAll = row.scope === everything;
  for (const [place, [method, path]] of appAddresses.entries()) {
    if (!isAll && (place + row.number) % stride !== 0) continue;
    const body = method === 'PUT' || method === 'POST' ? '{}' : undefined;
    const status = await statusOf(token, method, path, body);
    found[`${method} ${path}`] = classOf(status);
    expected[`${method} ${path}`] = isAll ? 'passed' : 403;
  }
  expect(found).toEqual(expected);
});

/** Without its body: that of a stream of events does not end. */
async function statusOf(token: string, method: string, path: string, body?: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  await answer.body?.cancel();
  return answer.status;
}

test('the tables of the sources are read as they stand', () => {
  expect(tableRows.length).toBeGreaterThan(60);
  const all = new Set(tableRows.map((row) => row.join(' ')));
  for (const row of ['GET /app/audit', 'PUT /app/drafts/x', 'POST /app/training/reset', 'POST /app/import'])
    expect(all).toContain(row);
});

test.each(wide)('%s is 403 at every address of the app', async (scope) => {
  const { token } = await mint(server, [scope]);
  for (const [method, path] of ownersRows) {
    const body = method === 'PUT' || method === 'POST' ? '{}' : undefined;
    const { status } = await sendAs(server, `Bearer ${token}`, method, path, body);
    expect([method, path, status]).toEqual([method, path, 403]);
  }
});

/** Row 2 of what must hold, beside the page's own files: the only addresses that answer who has no token. */
const openRows: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/fhir-r4/v1/metadata'],
  ['GET', '/.well-known/smart-configuration'],
  ['GET', '/fhir-r4/v1/.well-known/smart-configuration'],
  ['POST', '/oauth2/token'],
  ['POST', '/app/sign-in'],
  ['GET', '/app/openid'],
];

test('exactly the open addresses answer without a token, and sign-in only a good code', async () => {
  const outside = ['/', '/openapi.json', '/nowhere', '/app', '/oauth2', '/.well-known/x'];
  const everyRow = [
    ...addresses.map(({ method, path }) => [method, path] as const),
    ...allRows,
    ...openRows,
    ...outside.map((path) => ['GET', path] as const),
  ];
  const answered = new Set<string>();
  for (const [method, path] of everyRow) {
    const { status } = await sendAs(server, undefined, method, path, method === 'GET' ? undefined : '{}');
    // 401 with a challenge to bring a token; the token endpoint's own is another scheme's.
    if (status !== 401) answered.add(`${method} ${path}`);
  }
  const bodiless = ['POST /oauth2/token', 'POST /app/sign-in'];
  expect([...answered].sort()).toEqual(['GET /', ...openRows.map((row) => row.join(' '))].sort());
  for (const row of bodiless) {
    const [method = '', path = ''] = row.split(' ');
    expect([row, (await sendAs(server, undefined, method, path, '{}')).status]).toEqual([row, 400]);
  }
  const wrong = await sendAs(server, undefined, 'POST', '/app/sign-in', '{"code":"wrong"}');
  expect(wrong.status).toBe(401);
  const good = JSON.stringify({ code: await server.signInCode() });
  expect((await sendAs(server, undefined, 'POST', '/app/sign-in', good)).status).toBe(200);
});

test('a token anywhere but in the header is none', async () => {
  const { token } = await mint(server, ['system/*.*']);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const address = '/fhir-r4/v1/CarePlan';
  for (const [method, path, body, headers] of [
    ['GET', `${address}?subject=a&access_token=${token}`, undefined, {}],
    ['GET', `${address}?subject=a`, undefined, { Cookie: `access_token=${token}; token=${token}` }],
    ['POST', `${address}/_search`, `subject=a&access_token=${token}`, form],
    [
      'GET',
      `${address}?subject=a`,
      undefined,
      { 'X-Access-Token': token, 'Proxy-Authorization': `Bearer ${token}` },
    ],
  ] as const) {
    expect((await sendAs(server, undefined, method, path, body, headers)).status).toBe(401);
  }
});

describe('a token that is not valid is 401 at every address', () => {
  const states: Record<string, { authorization?: string; challenge: string }> = {};
  const challenge = 'Bearer realm="fhir"';
  beforeAll(async () => {
    const expired = await mint(server, ['system/*.*'], 1);
    const revoked = await mint(server, ['system/*.*']);
    await server.send('DELETE', `/app/tokens/${revoked.id}`);
    const ask = () => sendAs(server, `Bearer ${expired.token}`, 'GET', '/fhir-r4/v1/CarePlan');
    await vi.waitFor(async () => expect((await ask()).status).toBe(401), { timeout: 60_000 });
    states.none = { challenge };
    states.scheme = { authorization: 'Basic eDp5', challenge };
    states.wrong = { authorization: 'Bearer wrong', challenge: `${challenge}, error="invalid_token"` };
    states.revoked = {
      authorization: `Bearer ${revoked.token}`,
      challenge: `${challenge}, error="invalid_token"`,
    };
    states.expired = {
      authorization: `Bearer ${expired.token}`,
      challenge: `${challenge}, error="invalid_token", error_description="expired"`,
    };
  });

  test.each(['none', 'scheme', 'wrong', 'revoked', 'expired'])('%s', async (name) => {
    const state = states[name];
    for (const { method, path, body } of [
      ...addresses,
      ...[...appAddresses, ...tableRows].map(([method, path]) => ({ method, path, body: undefined })),
      { method: 'GET', path: '/nowhere', body: undefined },
    ]) {
      const { status, headers } = await sendAs(server, state?.authorization, method, path, body);
      expect([path, status, headers.get('www-authenticate')]).toEqual([path, 401, state?.challenge]);
    }
  });

  test.each(['none', 'scheme', 'wrong', 'revoked', 'expired'])('open routes pass: %s', async (name) => {
    for (const path of ['/fhir-r4/v1/metadata', '/.well-known/smart-configuration']) {
      const { status } = await sendAs(server, states[name]?.authorization, 'GET', path);
      expect([path, classOf(status)]).toEqual([path, 'passed']);
    }
  });
});
