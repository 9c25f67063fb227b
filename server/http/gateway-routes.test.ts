import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../gateway/testing/connect.ts';
import {
  proxyTo,
  startIdentityProvider,
  type IdentityProvider,
} from '../gateway/testing/identity-provider.ts';
import { mint } from '../testing/tokens.ts';
import { carePlan, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let remote: TestServer;
/** Stands before the other server, with tokens of its own. */
let idp: IdentityProvider;
beforeAll(async () => {
  [server, remote] = await Promise.all([startTestServer(), startTestServer()]);
  idp = await startIdentityProvider(proxyTo(remote.origin, remote.token));
});
afterAll(() => Promise.all([server.remove(), remote.remove(), idp.peer.close()]));

/** The ways to reach a server of this kind: the settings and the secret. */
const ways: Record<string, () => Promise<readonly [settings: Record<string, unknown>, secret?: string]>> = {
  'a Bearer token': () =>
    Promise.resolve([{ baseUrl: base(), authentication: { kind: 'bearer' } }, remote.token]),
  'client credentials of its own token endpoint': async () => {
    const { id, token } = await mint(remote, ['system/*.*']);
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

test.each(Object.keys(ways))('the five operations, versions and a search pass with %s', async (way) => {
  const [settings, secret] = (await ways[way]?.()) ?? [{}];
  const there = await connect(server, settings, secret);
  const patient = `Patient/${there.id}`;
  const made = await there.send(
    'POST',
    '/CarePlan',
    carePlan(patient, ',"extension":[{"url":"u","valueDecimal":1.50}]'),
  );
  expect(made.status).toBe(201);
  expect(made.text).toContain('1.50');
  const { id } = made.json;
  expect(made.headers.get('location')).toBe(
    `${server.origin}/app/connections/${there.id}/fhir-r4/v1/CarePlan/${id}/_history/1`,
  );
  expect(made.headers.get('etag')).toBe('W/"1"');
  const read = await there.send('GET', `/CarePlan/${id}`);
  expect([read.status, read.text]).toEqual([200, made.text]);
  const update = await there.send('PUT', `/CarePlan/${id}`, read.text.replace('active', 'on-hold'), {
    'If-Match': 'W/"1"',
  });
  expect([update.status, update.headers.get('etag')]).toEqual([200, 'W/"2"']);
  const stale = await there.send('PUT', `/CarePlan/${id}`, read.text, { 'If-Match': 'W/"1"' });
  expect([stale.status, stale.json.resourceType]).toEqual([412, 'OperationOutcome']);
  const patch = '[{"op":"replace","path":"/status","value":"completed"}]';
  expect((await there.send('PATCH', `/CarePlan/${id}`, patch)).status).toBe(200);
  const found = await there.send('GET', `/CarePlan?subject=${patient}`);
  expect([found.status, found.json.total]).toEqual([200, 1]);
  const history = await there.send('GET', `/CarePlan/${id}/_history`);
  expect(history.json.entry).toHaveLength(3);
  expect((await there.send('GET', `/CarePlan/${id}/_history/1`)).text).toBe(made.text);
  expect((await there.send('HEAD', `/CarePlan/${id}`)).status).toBe(200);
});
