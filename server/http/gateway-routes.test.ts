import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../gateway/testing/connect.ts';
import {
  proxyTo,
  startIdentityProvider,
  type IdentityProvider,
} from '../gateway/testing/identity-provider.ts';
import { createClientToken } from '../testing/tokens.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let remote: TestServer;
/** Identity provider in front of the remote server. */
let idp: IdentityProvider;
beforeAll(async () => {
  [server, remote] = await Promise.all([startTestServer(), startTestServer()]);
  idp = await startIdentityProvider(proxyTo(remote.origin, remote.token));
});
afterAll(() => Promise.all([server.remove(), remote.remove(), idp.peer.close()]));

/** Settings and secret of each authentication method. */
const methods: Record<string, () => Promise<readonly [settings: Record<string, unknown>, secret?: string]>> =
  {
    'a Bearer token': () =>
      Promise.resolve([{ baseUrl: base(), authentication: { kind: 'bearer' } }, remote.token]),
    'client credentials of its own token endpoint': async () => {
      const { id, token } = await createClientToken(remote, ['system/*.*']);
      return [{ baseUrl: base(), authentication: { kind: 'client-credentials', clientId: id } }, token];
    },
    'SMART Backend Services of a provider before it': () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      idp.clients.set('backend', {
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        algorithm: 'ES384',
      });
      const authentication = { kind: 'smart-backend', clientId: 'backend', algorithm: 'ES384' };
      return Promise.resolve([
        { baseUrl: idp.base, authentication },
        privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ]);
    },
  };

const base = () => `${remote.origin}/fhir-r4/v1`;

test.each(Object.keys(methods))('creates, reads, updates, patches and searches with %s', async (method) => {
  const [settings, secret] = (await methods[method]?.()) ?? [{}];
  const connection = await connect(server, settings, secret);
  const patient = `Patient/${connection.id}`;
  const createResponse = await connection.send(
    'POST',
    '/CarePlan',
    carePlan(patient, ',"extension":[{"url":"u","valueDecimal":1.50}]'),
  );
  expect(createResponse.status).toBe(201);
  expect(createResponse.text).toContain('1.50');
  const { id } = createResponse.json;
  expect(createResponse.headers.get('location')).toBe(
    `${server.origin}/app/connections/${connection.id}/fhir-r4/v1/CarePlan/${id}/_history/1`,
  );
  expect(createResponse.headers.get('etag')).toBe('W/"1"');
  const readResponse = await connection.send('GET', `/CarePlan/${id}`);
  expect([readResponse.status, readResponse.text]).toEqual([200, createResponse.text]);
  const update = await connection.send(
    'PUT',
    `/CarePlan/${id}`,
    readResponse.text.replace('active', 'on-hold'),
    {
      'If-Match': 'W/"1"',
    },
  );
  expect([update.status, update.headers.get('etag')]).toEqual([200, 'W/"2"']);
  const stale = await connection.send('PUT', `/CarePlan/${id}`, readResponse.text, { 'If-Match': 'W/"1"' });
  expect([stale.status, stale.json.resourceType]).toEqual([412, 'OperationOutcome']);
  const patch = '[{"op":"replace","path":"/status","value":"completed"}]';
  expect((await connection.send('PATCH', `/CarePlan/${id}`, patch)).status).toBe(200);
  const searchResponse = await connection.send('GET', `/CarePlan?subject=${patient}`);
  expect([searchResponse.status, searchResponse.json.total]).toEqual([200, 1]);
  const history = await connection.send('GET', `/CarePlan/${id}/_history`);
  expect(history.json.entry).toHaveLength(3);
  expect((await connection.send('GET', `/CarePlan/${id}/_history/1`)).text).toBe(createResponse.text);
  expect((await connection.send('HEAD', `/CarePlan/${id}`)).status).toBe(200);
});
