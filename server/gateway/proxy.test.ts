/** Which address goes through which proxy. */
import type { ServerOptions } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { DefaultProxy } from '../../core/app/connections.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { defaultProxyKey, proxyChoice, type ProxyChoice } from './proxy.ts';
import { connect } from './testing/connect.ts';
import { clientCertificates, demanding, keyFile, readIdentity } from './testing/identities.ts';
import { sendFhir, honest, startPeer, type Answerer, type Peer } from './testing/peer.ts';
import { startProxy, type ConnectProxy } from './testing/proxy.ts';

const caFile = keyFile('loopback.cert.pem');

async function start(systemProxy?: ProxyChoice): Promise<TestServer> {
  const server = await startTestServer({}, undefined, systemProxy && { systemProxy });
  onTestFinished(() => server.remove());
  return server;
}

async function peer(scheme: 'http' | 'https', answerer: Answerer = honest): Promise<Peer> {
  const startedPeer = await startPeer(answerer, scheme === 'https' ? readIdentity('loopback') : undefined);
  onTestFinished(() => startedPeer.close());
  return startedPeer;
}

async function proxy(tls?: ServerOptions): Promise<ConnectProxy & { readonly full: string }> {
  const startedProxy = await startProxy('ward', 'canary', undefined, tls);
  onTestFinished(() => startedProxy.close());
  return { ...startedProxy, full: startedProxy.url.replace('//', '//ward:canary@') };
}

const granting: Answerer = (_request, response) =>
  sendFhir(response, 200, '{"access_token":"given","token_type":"Bearer","expires_in":3600}');

const host = ({ origin }: Peer) => new URL(origin).host;

const withToken = (base: Peer, token: Peer) => ({
  baseUrl: base.origin,
  authentication: {
    kind: 'client-credentials',
    clientId: 'workbench',
    tokenEndpoint: `${token.origin}/token`,
  },
  caFile,
});

test('uses the proxy for an https token endpoint if the base URL is on loopback', async () => {
  const [tunnelProxy, base, token] = [await proxy(), await peer('http'), await peer('https', granting)];
  const settings = {
    ...withToken(base, token),
    proxy: { kind: 'address', url: tunnelProxy.url, user: 'ward' },
  };
  const connected = await connect(await start(), settings, 'secret', { proxy: 'canary' });
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(tunnelProxy.openedTunnels).toEqual([host(token)]);
});

test('connects directly to an excluded token endpoint and by proxy to the base URL', async () => {
  const [tunnelProxy, base, token] = [await proxy(), await peer('https'), await peer('https', granting)];
  const server = await start((url) =>
    Promise.resolve(url.host === host(token) ? undefined : tunnelProxy.full),
  );
  const connected = await connect(server, { ...withToken(base, token), proxy: { kind: 'system' } }, 'secret');
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(token.requests).toHaveLength(1);
  expect(tunnelProxy.openedTunnels).toEqual([host(base)]);
});

test('waits until the time limit for a system proxy that is not reported', async () => {
  const proxyRequested = Promise.withResolvers<undefined>();
  const server = await start(() => proxyRequested.promise);
  const settings = { baseUrl: 'https://fhir.example.org', proxy: { kind: 'system' }, timeoutSeconds: 1 };
  const connected = await connect(server, settings);
  const testResult = (await server.send('POST', `/app/connections/${connected.id}/test`)).json;
  expect(testResult).toMatchObject({
    text: 'The system didn’t say which proxy to use for fhir.example.org within the timeout.',
    steps: [
      { outcome: 'skipped' },
      { step: 'proxy', outcome: 'failed' },
      ...Array(5).fill({ outcome: 'skipped' }),
    ],
  });
});

test('trusts a TLS proxy like the server and sends it no client certificate', async () => {
  const [tunnelProxy, base] = [await proxy(demanding()), await peer('https')];
  const open = await proxy(readIdentity('loopback'));
  const system = { of: tunnelProxy.full };
  const server = await start(() => Promise.resolve(system.of));
  const settings = {
    baseUrl: base.origin,
    proxy: { kind: 'system' },
    clientCertificate: clientCertificates.pem,
  };
  const tunneled = await connect(server, { ...settings, caFile });
  const rejectedTest = (await server.send('POST', `/app/connections/${tunneled.id}/test`)).json;
  expect(rejectedTest.text).toContain(
    `Can’t reach the proxy. ${new URL(tunnelProxy.url).host} requires a client certificate`,
  );
  system.of = open.full;
  expect((await tunneled.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(open.openedTunnels).toEqual([host(base)]);
  const strange = await connect(server, settings);
  const { steps } = (await server.send('POST', `/app/connections/${strange.id}/test`)).json;
  expect(steps[1]).toMatchObject({
    step: 'proxy',
    outcome: 'failed',
    text: expect.stringContaining('unknown authority'),
  });
});

test('sends the password of the default proxy only to its own proxy and user', async () => {
  const parsed = checkConnection({ name: 'Ward', baseUrl: 'https://fhir.example.org' });
  if ('problems' in parsed) throw new Error('These settings are good');
  const connection = { id: 'ward', ...parsed.value };
  const originalProxy: DefaultProxy = { kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' };
  const secrets = new Map([[defaultProxyKey(originalProxy), 'canary']]);
  const urlBy = async (defaultProxy: DefaultProxy) => {
    const proxies = { getDefaultProxy: () => defaultProxy, system: () => Promise.resolve(undefined) };
    const choice = await proxyChoice(connection, proxies, {
      get: (key) => Promise.resolve(secrets.get(key)),
    });
    return choice(new URL(connection.baseUrl));
  };
  expect(await urlBy(originalProxy)).toBe('http://ward:canary@proxy.example.org:3128/');
  for (const difference of [{ url: 'http://other.example.org:3128' }, { user: 'clinic' }]) {
    expect(await urlBy({ ...originalProxy, ...difference })).not.toContain('canary');
  }
});
