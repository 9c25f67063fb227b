import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const type = '/fhir-r4/v1/CarePlan';
const unknown = `${type}/00000000-0000-4000-8000-000000000000`;

// Row 67 of docs/api-rows.md.
describe('rejects a missing token or another scheme with 401 and a challenge', () => {
  test.each([undefined, 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'token'])('%s', async (authorization) => {
    const { status, headers, json } = await sendAs(server, authorization, 'GET', unknown);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="fhir"');
    expect(json.issue[0]).toMatchObject({ code: 'login', location: ['http.Authorization'] });
  });
});

// Row 68 of docs/api-rows.md.
describe('rejects an invalid token with 401 and invalid_token', () => {
  test.each(['Bearer wrong', 'bearer wrong', 'Bearer two words', 'Bearer "quoted"'])(
    '%s',
    async (authorization) => {
      const { status, headers, json } = await sendAs(server, authorization, 'GET', unknown);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="fhir", error="invalid_token"');
      expect(json.issue[0]).toMatchObject({ code: 'unknown' });
    },
  );
});

// Row 68 of docs/api-rows.md.
test('rejects a revoked token with 401 at the next request', async () => {
  const { id, token } = await createClientToken(server, ['system/*.read']);
  expect((await sendAs(server, `Bearer ${token}`, 'GET', unknown)).status).toBe(404);
  expect((await server.send('DELETE', `/app/tokens/${id}`)).status).toBe(200);
  const { status, headers, json } = await sendAs(server, `Bearer ${token}`, 'GET', unknown);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toBe('Bearer realm="fhir", error="invalid_token"');
  expect(json.issue[0].code).toBe('unknown');
});

// Row 69 of docs/api-rows.md.
test('rejects an expired token with 401 and an error_description', async () => {
  const { token } = await createClientToken(server, ['system/*.read'], 1);
  const request = () => sendAs(server, `Bearer ${token}`, 'GET', unknown);
  await expect.poll(async () => (await request()).status).toBe(401);
  const { headers, json } = await request();
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="fhir", error="invalid_token", error_description="expired"',
  );
  expect(json.issue[0].code).toBe('expired');
});

// Row 70 of docs/api-rows.md.
test('rejects a missing permission with 403 and insufficient_scope', async () => {
  const { token } = await createClientToken(server, ['system/Composition.read', 'system/CarePlan.r']);
  const { status, headers, json } = await sendAs(
    server,
    `Bearer ${token}`,
    'POST',
    type,
    carePlan('Patient/1'),
  );
  expect(status).toBe(403);
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="fhir", error="insufficient_scope", scope="system/CarePlan.write"',
  );
  expect(json.issue[0].code).toBe('forbidden');
});

test('stores the token name as author and lists the last use', async () => {
  const before = Date.now();
  const { id, token } = await createClientToken(server, ['system/CarePlan.c']);
  expect((await sendAs(server, `Bearer ${token}`, 'POST', type, carePlan('Patient/1'))).status).toBe(201);
  const { json } = await server.send('GET', '/app/tokens');
  const listedToken = json.find((candidate: { id: string }) => candidate.id === id);
  expect(Date.parse(listedToken.lastUsed)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(listedToken.lastUsed)).toBeLessThanOrEqual(Date.now());
});
