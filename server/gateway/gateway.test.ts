/** Tests a connection that another server or a file changed. This server has not signed out before. */
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { Connection, DefaultProxy } from '../../core/app/connections.ts';
import { createGateway } from './gateway.ts';
import { defaultProxyKey } from './proxy.ts';
import { sessionSecrets } from './secrets.ts';
import { targetOf } from './target.ts';
import { clientCertificates, demanding, keyFile, readIdentity } from './testing/identities.ts';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { sendFhir, startPeer, type Answerer } from './testing/peer.ts';
import { startProxy } from './testing/proxy.ts';

const answerer: Answerer = (_request, response) =>
  sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');

function connectionOf(settings: object): Connection {
  const parsed = checkConnection({ name: 'Ward', mode: 'normal', ...settings });
  if ('problems' in parsed) throw new Error('These settings are good');
  return { id: 'ward', ...parsed.value };
}

/** Creates a gateway whose default proxy is the result of `getDefaultProxy`. */
function startGateway(getDefaultProxy: () => DefaultProxy = () => ({ kind: 'none' })) {
  const secrets = sessionSecrets();
  const system = () => Promise.resolve(undefined);
  const gateway = createGateway({
    secrets,
    proxies: { getDefaultProxy, system },
    base: () => 'http://127.0.0.1',
  });
  onTestFinished(() => gateway.close());
  const ask = (connection: Connection, method = 'GET', disconnected = new AbortController().signal) =>
    gateway.forward(connection, {
      ...targetOf(method, '/CarePlan/a', connection),
      method,
      headers: {},
      disconnected,
    });
  return { secrets, ask };
}

test('sends no token of the previous server to the current one', async () => {
  const { secrets, ask } = startGateway();
  await secrets.set('ward', 'secret');
  const servers = await Promise.all([startIdentityProvider(answerer), startIdentityProvider(answerer)]);
  for (const startedServer of servers) {
    onTestFinished(() => startedServer.peer.close());
    startedServer.clients.set('client', { secret: 'secret' });
    const authentication = { kind: 'client-credentials', clientId: 'client' };
    expect((await ask(connectionOf({ baseUrl: startedServer.base, authentication }))).status).toBe(200);
    expect(startedServer.grants).toEqual(['client_credentials']);
    const records = startedServer.peer.requests.filter(({ url }) => url.endsWith('/CarePlan/a'));
    expect(records.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${startedServer.issuedTokens[0]}`,
    ]);
  }
});

test('uses the current default proxy and no longer the previous one', async () => {
  const [previousProxy, next] = await Promise.all([startProxy('ward', 'one'), startProxy('ward', 'two')]);
  const peer = await startPeer(answerer, readIdentity('loopback'));
  for (const closable of [previousProxy, next, peer]) onTestFinished(() => closable.close());
  const through = ({ url }: { readonly url: string }): DefaultProxy => ({
    kind: 'address',
    url,
    user: 'ward',
  });
  let defaultProxy = through(previousProxy);
  const { secrets, ask } = startGateway(() => defaultProxy);
  await secrets.set(defaultProxyKey(through(previousProxy)), 'one');
  await secrets.set(defaultProxyKey(through(next)), 'two');
  const connection = connectionOf({ baseUrl: peer.origin, caFile: keyFile('loopback.cert.pem') });
  expect((await ask(connection)).status).toBe(200);
  defaultProxy = through(next);
  expect((await ask(connection)).status).toBe(200);
  expect([previousProxy.openedTunnels.length, next.openedTunnels.length]).toEqual([1, 1]);
});

test('uses another client certificate from the next request on', async () => {
  const peer = await startPeer(answerer, demanding());
  onTestFinished(() => peer.close());
  const { ask } = startGateway();
  const settings = { baseUrl: peer.origin, caFile: keyFile('loopback.cert.pem') };
  await expect(ask(connectionOf(settings))).rejects.toMatchObject({ name: 'FhirError' });
  const clientCertificate = clientCertificates.pem;
  expect((await ask(connectionOf({ ...settings, clientCertificate }))).status).toBe(200);
});

test.each([
  ['finishes a write', 'PUT', 'answered'],
  ['finishes a patch', 'PATCH', 'answered'],
  ['aborts a read', 'GET', 'aborted'],
])('%s whose page has disconnected', async (_, method, end) => {
  const ends: string[] = [];
  let finish = (): void => undefined;
  const peer = await startPeer((_request, response) => {
    response.once('close', () => ends.push(response.writableFinished ? 'answered' : 'aborted'));
    finish = () => sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');
  });
  onTestFinished(() => peer.close());
  const { ask } = startGateway();
  const page = new AbortController();
  const outcome = ask(connectionOf({ baseUrl: peer.origin }), method, page.signal).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  await expect.poll(() => peer.requests.length).toBe(1);
  page.abort();
  // A read ends by itself. A write waits for the response.
  if (end === 'answered') finish();
  await expect.poll(() => ends).toEqual([end]);
  const result = await outcome;
  if (end === 'answered') expect(result).toBe(200);
  else expect(result).not.toBe(200);
});
