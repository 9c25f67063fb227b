/** Which address goes through which proxy. */
import type { ServerOptions } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { DefaultProxy } from '../../core/app/connections.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { defaultProxyKey, proxyChoice, type ProxyChoice } from './proxy.ts';
import { connect } from './testing/connect.ts';
import { clientCertificates, demanding, keyFile, shown } from './testing/identities.ts';
import { fhir, honest, startPeer, type Answerer, type Peer } from './testing/peer.ts';
import { startProxy, type ConnectProxy } from './testing/proxy.ts';

const caFile = keyFile('loopback.cert.pem');

async function start(systemProxy?: ProxyChoice): Promise<TestServer> {
  const server = await startTestServer({}, undefined, systemProxy && { systemProxy });
  onTestFinished(() => server.remove());
  return server;
}

async function peer(scheme: 'http' | 'https', answerer: Answerer = honest): Promise<Peer> {
  const made = await startPeer(answerer, scheme === 'https' ? shown('loopback') : undefined);
  onTestFinished(() => made.close());
  return made;
}

async function proxy(tls?: ServerOptions): Promise<ConnectProxy & { readonly full: string }> {
  const made = await startProxy('ward', 'canary', undefined, tls);
  onTestFinished(() => made.close());
  return { ...made, full: made.url.replace('//', '//ward:canary@') };
}

const granting: Answerer = (_seen, response) =>
  fhir(response, 200, '{"access_token":"given","token_type":"Bearer","expires_in":3600}');

const host = ({ origin }: Peer) => new URL(origin).host;

const withToken = (base: Peer, token: Peer) => ({
  baseUrl: base.origin,
  authentication: {
    ...{ kind: 'client-credentials', clientId: 'workbench', tokenEndpoint: `${token.origin}/token` },
  },
  caFile,
});

test('a token endpoint on https goes through the proxy, where the base URL is of this machine', async () => {
  const [way, base, token] = [await proxy(), await peer('http'), await peer('https', granting)];
  const settings = { ...withToken(base, token), proxy: { kind: 'address', url: way.url, user: 'ward' } };
  const there = await connect(await start(), settings, 'secret', { proxy: 'canary' });
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(way.opened).toEqual([host(token)]);
});

test('a token endpoint that the system spares goes straight, and the base URL through the proxy', async () => {
  const [way, base, token] = [await proxy(), await peer('https'), await peer('https', granting)];
  const server = await start((url) => Promise.resolve(url.host === host(token) ? undefined : way.full));
  const there = await connect(server, { ...withToken(base, token), proxy: { kind: 'system' } }, 'secret');
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(token.seen).toHaveLength(1);
  expect(way.opened).toEqual([host(base)]);
});

test('a system that does not say which proxy there is is waited for until the time limit', async () => {
  const asked = Promise.withResolvers<undefined>();
  const server = await start(() => asked.promise);
  const settings = { baseUrl: 'https://fhir.example.org', proxy: { kind: 'system' }, timeoutSeconds: 1 };
  const there = await connect(server, settings);
  const tried = (await server.send('POST', `/app/connections/${there.id}/test`)).json;
  expect(tried).toMatchObject({
    text: 'The system did not say within the time limit of the connection which proxy leads to fhir.example.org.',
    steps: [
      { outcome: 'skipped' },
      { step: 'proxy', outcome: 'failed' },
      ...Array(5).fill({ outcome: 'skipped' }),
    ],
  });
});

test('a proxy that is spoken to in TLS is trusted as the server is, and sees no client certificate', async () => {
  const [way, base] = [await proxy(demanding()), await peer('https')];
  const open = await proxy(shown('loopback'));
  const system = { of: way.full };
  const server = await start(() => Promise.resolve(system.of));
  const settings = {
    baseUrl: base.origin,
    proxy: { kind: 'system' },
    clientCertificate: clientCertificates.pem,
  };
  const there = await connect(server, { ...settings, caFile });
  const refused = (await server.send('POST', `/app/connections/${there.id}/test`)).json;
  expect(refused.text).toContain(
    `The proxy is not reached. ${new URL(way.url).host} demands a client certificate.`,
  );
  system.of = open.full;
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(open.opened).toEqual([host(base)]);
  const strange = await connect(server, settings);
  const { steps } = (await server.send('POST', `/app/connections/${strange.id}/test`)).json;
  expect(steps[1]).toMatchObject({
    step: 'proxy',
    outcome: 'failed',
    text: expect.stringContaining('no authority'),
  });
});

test('the password of the default proxy goes to the proxy and user alone that it was given for', async () => {
  const read = checkConnection({ name: 'Ward', baseUrl: 'https://fhir.example.org' });
  if ('problems' in read) throw new Error('These settings are good');
  const connection = { id: 'ward', ...read.value };
  const given: DefaultProxy = { kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' };
  const secrets = new Map([[defaultProxyKey(given), 'canary']]);
  const urlBy = async (chosen: DefaultProxy) => {
    const proxies = { chosen: () => chosen, system: () => Promise.resolve(undefined) };
    const choice = await proxyChoice(connection, proxies, {
      get: (key) => Promise.resolve(secrets.get(key)),
    });
    return choice(new URL(connection.baseUrl));
  };
  expect(await urlBy(given)).toBe('http://ward:canary@proxy.example.org:3128/');
  for (const other of [{ url: 'http://other.example.org:3128' }, { user: 'clinic' }]) {
    expect(await urlBy({ ...given, ...other })).not.toContain('canary');
  }
});
