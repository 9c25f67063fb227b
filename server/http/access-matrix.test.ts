/** Tests every route with every scope and token state against an independent table. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes, type Operation } from '../../core/api/contract.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

/** Letter that each operation requires. `open` requires no token. */
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

/** Letters of each suffix: the v1 words, and all v2 combinations of c r u d s that allow something. */
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

/** Scope that the app addresses require. */
const fullScope = 'system/*.*';

/** Each other scope is tested with every nth app address, so each address meets dozens of scopes. */
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
  ['GET', '/app/batches'],
  ['GET', '/app/batches/x'],
  ['GET', '/app/batches/x/lines'],
  ['POST', '/app/batches/x/lines', '{"lines":[]}'],
  ['GET', '/app/batches/x/compared'],
  ['POST', '/app/batches/x/undo', '{}'],
  ['GET', '/app/removed/CarePlan/x'],
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

/** Routes of the app addresses, parsed from the sources, so that new routes are included. */
const allRows = globSync('*-routes.ts', { cwd: import.meta.dirname }).flatMap((file) => {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  const rows = source.matchAll(/\{\s+method: '(\w+)',\s+path: '(\/app\/[^']+)'/g);
  return [...rows].map(([, method = '', path = '']): [string, string] => [
    method,
    path.replaceAll(/:\w+/g, 'x'),
  ]);
});

/** Addresses for callers without a token. */
const signInAddresses = ['/app/sign-in', '/app/openid'];
/** Address that any token can use. */
const signOutAddress = '/app/sign-out';
const tableRows = allRows.filter(([, path]) => !signInAddresses.includes(path));
const ownersRows = tableRows.filter(([, path]) => path !== signOutAddress);

/** Broad scopes that are less than full access. */
const broadScopes = ['system/*.cruds', 'user/*.*', 'system/CarePlan.*', 'system/*.write'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ failureLimit: Infinity });
});
afterAll(() => server.remove());

const classify = (status: number) => (status === 401 || status === 403 ? status : 'passed');

test('requires the access that the contract states for each operation', () => {
  expect(Object.fromEntries(routes.map(({ operation, access }) => [operation, access]))).toEqual(needs);
});

test.each(scopes)('allows exactly the letters of $scope', async (row) => {
  const { token } = await createClientToken(server, [row.scope]);
  const actual: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const { type, method, path, needed, body, headers } of addresses) {
    const { status } = await sendAs(server, `Bearer ${token}`, method, path, body, headers);
    const isAllowed = (row.type === '*' || row.type === type) && row.letters.includes(needed);
    actual[`${method} ${path}`] = classify(status);
    expected[`${method} ${path}`] = isAllowed ? 'passed' : 403;
  }
  const isAll = row.scope === fullScope;
  for (const [addressIndex, [method, path]] of appAddresses.entries()) {
    if (!isAll && (addressIndex + row.number) % stride !== 0) continue;
    const body = method === 'PUT' || method === 'POST' ? '{}' : undefined;
    const status = await statusOf(token, method, path, body);
    actual[`${method} ${path}`] = classify(status);
    expected[`${method} ${path}`] = isAll ? 'passed' : 403;
  }
  expect(actual).toEqual(expected);
});

/** Ignores the body, because an event stream does not end. */
async function statusOf(token: string, method: string, path: string, body?: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  await response.body?.cancel();
  return response.status;
}

test('parses the route tables of the sources', () => {
  expect(tableRows.length).toBeGreaterThan(60);
  const routeLines = new Set(tableRows.map((row) => row.join(' ')));
  for (const row of ['GET /app/audit', 'PUT /app/drafts/x', 'POST /app/training/reset', 'POST /app/import'])
    expect(routeLines).toContain(row);
});

test.each(broadScopes)('rejects %s with 403 at every app address', async (scope) => {
  const { token } = await createClientToken(server, [scope]);
  for (const [method, path] of ownersRows) {
    const body = method === 'PUT' || method === 'POST' ? '{}' : undefined;
    const { status, headers } = await sendAs(server, `Bearer ${token}`, method, path, body);
    expect([method, path, status]).toEqual([method, path, 403]);
    expect(headers.get('www-authenticate')).toContain('scope="system/*.*"');
  }
});

/** Open addresses besides the page files. */
const openRows: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/fhir-r4/v1/metadata'],
  ['GET', '/.well-known/smart-configuration'],
  ['GET', '/fhir-r4/v1/.well-known/smart-configuration'],
  ['POST', '/oauth2/token'],
  ['POST', '/app/sign-in'],
  ['GET', '/app/openid'],
];

test('opens exactly the listed addresses and accepts only valid codes at sign-in', async () => {
  const outside = ['/', '/openapi.json', '/nowhere', '/app', '/oauth2', '/.well-known/x'];
  const everyRow = [
    ...addresses.map(({ method, path }) => [method, path] as const),
    ...allRows,
    ...openRows,
    ...outside.map((path) => ['GET', path] as const),
  ];
  const openAddresses = new Set<string>();
  for (const [method, path] of everyRow) {
    const { status } = await sendAs(server, undefined, method, path, method === 'GET' ? undefined : '{}');
    // The token endpoint has a challenge of another scheme.
    if (status !== 401) openAddresses.add(`${method} ${path}`);
  }
  const bodiless = ['POST /oauth2/token', 'POST /app/sign-in'];
  expect([...openAddresses].sort()).toEqual(['GET /', ...openRows.map((row) => row.join(' '))].sort());
  for (const row of bodiless) {
    const [method = '', path = ''] = row.split(' ');
    expect([row, (await sendAs(server, undefined, method, path, '{}')).status]).toEqual([row, 400]);
  }
  const wrong = await sendAs(server, undefined, 'POST', '/app/sign-in', '{"code":"wrong"}');
  expect(wrong.status).toBe(401);
  const good = JSON.stringify({ code: await server.signInCode() });
  expect((await sendAs(server, undefined, 'POST', '/app/sign-in', good)).status).toBe(200);
});

test('ignores a token outside the Authorization header', async () => {
  const { token } = await createClientToken(server, ['system/*.*']);
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

describe('rejects an invalid token with 401 at every address', () => {
  const states: Record<string, { authorization?: string; challenge: string }> = {};
  const challenge = 'Bearer realm="fhir"';
  beforeAll(async () => {
    const expired = await createClientToken(server, ['system/*.*'], 1);
    const revoked = await createClientToken(server, ['system/*.*']);
    await server.send('DELETE', `/app/tokens/${revoked.id}`);
    const request = () => sendAs(server, `Bearer ${expired.token}`, 'GET', '/fhir-r4/v1/CarePlan');
    await vi.waitFor(async () => expect((await request()).status).toBe(401), { timeout: 60_000 });
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

  test.each(['none', 'scheme', 'wrong', 'revoked', 'expired'])(
    'serves open routes with an invalid token: %s',
    async (name) => {
      for (const path of ['/fhir-r4/v1/metadata', '/.well-known/smart-configuration']) {
        const { status } = await sendAs(server, states[name]?.authorization, 'GET', path);
        expect([path, classify(status)]).toEqual([path, 'passed']);
      }
    },
  );
});
