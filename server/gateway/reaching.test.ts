/** Tests errors on the way to a server: each names the failed step and nothing secret. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionTest } from '../../core/app/connections.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { environmentProxy } from './proxy.ts';
import { connect } from './testing/connect.ts';
import { clientCertificates, demanding, keyFile, passphrase, readIdentity } from './testing/identities.ts';
import { sendFhir, honest, startPeer, type Answerer, type Peer } from './testing/peer.ts';
import { startProxy, type ConnectProxy } from './testing/proxy.ts';

const password = 'canary-of-the-proxy';
const caFile = keyFile('loopback.cert.pem');
const { locked, pem } = clientCertificates;

let server: TestServer;
let proxy: ConnectProxy;
/** The system never assigns this port. A port that was just closed may soon be in use. */
const closed = { url: 'http://127.0.0.1:1' };
let refusing: ConnectProxy;
const peers: Peer[] = [];
beforeAll(async () => {
  server = await startTestServer();
  proxy = await startProxy('ward', password);
  refusing = await startProxy('ward', password, 403);
});
afterAll(() =>
  Promise.all([
    server.remove(),
    proxy.close(),
    refusing.close(),
    ...peers.map((startedPeer) => startedPeer.close()),
  ]),
);

async function peer(tls: Parameters<typeof startPeer>[1], answerer: Answerer = capable): Promise<string> {
  const startedPeer = await startPeer(answerer, tls);
  peers.push(startedPeer);
  return startedPeer.origin;
}

const capable: Answerer = (request, response) =>
  request.url.endsWith('/metadata')
    ? sendFhir(response, 200, '{"resourceType":"CapabilityStatement","fhirVersion":"4.0.1"}')
    : honest(request, response);

const answering =
  (status: number): Answerer =>
  (rejectedTest, response) =>
    rejectedTest.url.endsWith('/metadata')
      ? capable(rejectedTest, response)
      : void response.writeHead(status).end();

const page: Answerer = (_request, response) =>
  void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Welcome');

interface Wrong {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

const through = ({ url }: Pick<ConnectProxy, 'url'>) => ({ kind: 'address', url, user: 'ward' });
const straight = { kind: 'none' };

/** A server that knows the client, as all of these do but for one thing. */
const good = async (change: object = {}, secrets: Wrong['secrets'] = {}): Promise<Wrong> => ({
  settings: {
    baseUrl: await peer(demanding()),
    caFile,
    proxy: through(proxy),
    clientCertificate: locked,
    ...change,
  },
  secrets: { proxy: password, certificate: passphrase, ...secrets },
});

async function tryOut({ settings, secrets = {} }: Wrong): Promise<ConnectionTest> {
  const body = JSON.stringify({ settings: { name: 'Tried', mode: 'normal', ...settings }, secrets });
  const { status, json } = await server.send('POST', '/app/connections/test', body);
  expect(status).toBe(200);
  return json;
}

const wrong: readonly (readonly [what: string, step: string, messageCode: string, () => Promise<Wrong>])[] = [
  [
    'a name that is none',
    'name',
    'gateway.remote.unknownHost',
    () => good({ baseUrl: 'https://nobody.invalid', proxy: straight }),
  ],
  [
    'a port on which nothing listens',
    'connection',
    'gateway.remote.connectionRefused',
    () => good({ baseUrl: closed.url.replace('http:', 'https:'), proxy: straight }),
  ],
  [
    'a proxy that does not listen',
    'proxy',
    'gateway.proxy.connectionRefused',
    () => good({ proxy: through(closed) }),
  ],
  [
    'a proxy that lets nobody through',
    'proxy',
    'gateway.proxy.blocked',
    () => good({ proxy: through(refusing) }),
  ],
  ["a wrong password of the proxy's", 'proxy', 'gateway.proxy.rejected', () => good({}, { proxy: 'wrong' })],
  [
    'an authority that nobody knows',
    'tls',
    'gateway.remote.unknownAuthority',
    () => good({ caFile: keyFile('other.cert.pem') }),
  ],
  [
    'a certificate that has expired',
    'tls',
    'gateway.remote.certificateExpired',
    async () => good({ baseUrl: await peer(readIdentity('expired')), caFile: keyFile('expired.cert.pem') }),
  ],
  [
    "another host's certificate",
    'tls',
    'gateway.remote.certificateOfOtherHost',
    async () => good({ baseUrl: await peer(readIdentity('other')), caFile: keyFile('other.cert.pem') }),
  ],
  [
    'no client certificate',
    'tls',
    'gateway.remote.clientCertificateRequired',
    () => good({ clientCertificate: undefined }),
  ],
  ['a wrong pass phrase', 'tls', 'gateway.tls.wrongPassphrase', () => good({}, { certificate: 'wrong' })],
  [
    '401',
    'authentication',
    'gateway.remote.credentialsRequired',
    async () => good({ baseUrl: await peer(demanding(), answering(401)) }),
  ],
  [
    '403',
    'rights',
    'gateway.test.searchForbidden',
    async () => good({ baseUrl: await peer(demanding(), answering(403)) }),
  ],
  [
    'a web page',
    'fhir',
    'gateway.test.notFhir',
    async () => good({ baseUrl: await peer(demanding(), page) }),
  ],
];

test.each(wrong)('%s fails at %s: %s', async (_description, step, messageCode, createSettings) => {
  const { steps } = await tryOut(await createSettings());
  expect(steps.filter(({ outcome }) => outcome === 'failed')).toEqual([
    expect.objectContaining({ step, outcome: 'failed', messageCode }),
  ]);
  const stepIndex = steps.findIndex((testStep) => testStep.step === step);
  expect(steps.slice(stepIndex + 1).every(({ outcome }) => outcome === 'skipped')).toBe(true);
});

test('reports proxy, issuer, FHIR version and interactions of a successful test', async () => {
  const testResult = await tryOut(await good());
  expect(testResult.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'name skipped',
    'proxy done',
    'connection done',
    'tls done',
    'authentication skipped',
    'fhir done',
    'rights done',
  ]);
  expect(testResult.steps[3]?.text).toMatch(/^Issued by Chartkeeper tests, valid until .+ GMT\.$/);
});

test.each([
  ['normal', 'noWritingAnnounced', 'The server announces no way to write; not tested.'],
  ['read-only', 'readOnly', 'Writes are blocked: the connection is read-only.'],
])('reports the rights of a %s connection', async (mode, name, sentence) => {
  const { steps } = await tryOut(await good({ mode }));
  expect(steps.at(-1)).toEqual({
    step: 'rights',
    outcome: 'done',
    messageCode: `gateway.test.${name}`,
    parameters: { type: 'CarePlan' },
    text: `CarePlan can be searched. ${sentence}`,
  });
});

test('accepts a server without a CapabilityStatement if a search returns FHIR', async () => {
  const bare: Answerer = (request, response) =>
    request.url.endsWith('/metadata') ? void response.writeHead(404).end() : honest(request, response);
  const testResult = await tryOut(await good({ baseUrl: await peer(demanding(), bare) }));
  expect(testResult).toMatchObject({ ok: true, remarks: ['Works, but has no CapabilityStatement.'] });
});

test('stores nothing and no secret in a test', async () => {
  const before = (await server.send('GET', '/app/connections')).text;
  await tryOut(await good());
  expect((await server.send('GET', '/app/connections')).text).toBe(before);
});

test('sends stored secrets only to their own target, in tests as well', async () => {
  const { settings } = await good({ authentication: { kind: 'bearer' } });
  const storedConnection = await connect(server, settings, 'canary-token', {
    proxy: password,
    certificate: passphrase,
  });
  const seenRequests = peers.at(-1)?.requests ?? [];
  const renamedSettings = { name: 'Renamed', mode: 'normal' };
  const ask = async (change: object) => {
    const body = JSON.stringify({
      settings: { ...settings, ...renamedSettings, ...change },
      id: storedConnection.id,
    });
    return (await server.send('POST', '/app/connections/test', body)).json as ConnectionTest;
  };
  expect((await ask({})).ok).toBe(true);
  expect(seenRequests.some(({ headers }) => headers.authorization === 'Bearer canary-token')).toBe(true);
  const otherTarget = await ask({ baseUrl: await peer(demanding()) });
  expect(otherTarget).toMatchObject({ ok: false, text: 'Enter this connection’s access token.' });
  expect(peers.at(-1)?.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  const otherProxy = await startProxy('ward', password);
  expect((await ask({ proxy: through(otherProxy) })).steps[1]).toMatchObject({ outcome: 'failed' });
  expect(otherProxy.openedTunnels).toEqual([]);
  await otherProxy.close();
  // The same holds for the stored connection.
  const changedSettings = {
    ...settings,
    ...renamedSettings,
    proxy: through(refusing),
    clientCertificate: pem,
  };
  await server.send('PUT', `/app/connections/${storedConnection.id}`, JSON.stringify(changedSettings));
  expect(await storedConnection.summary()).toMatchObject({
    secretSet: false,
    proxySecretSet: false,
    certificateSecretSet: false,
  });
});

test('uses the default proxy for connections that name none', async () => {
  const { settings } = await good({ proxy: undefined });
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: through(proxy) }));
  await server.send('PUT', '/app/connections/default/secrets/proxy', JSON.stringify({ secret: password }));
  const openedCount = proxy.openedTunnels.length;
  const connected = await connect(server, settings, undefined, { certificate: passphrase });
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(proxy.openedTunnels.length).toBe(openedCount + 1);
  await server.send('DELETE', '/app/connections/default/secrets/proxy');
  const failedResponse = await connected.send('GET', '/CarePlan/a');
  expect([failedResponse.status, failedResponse.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining('(407)'),
  ]);
  await server.send('PUT', '/app/connections/default/secrets/proxy', JSON.stringify({ secret: password }));
  const otherProxy = { kind: 'address', url: closed.url, user: 'ward' };
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: otherProxy }));
  expect((await server.send('GET', '/app/connections')).json.proxySecretSet).toBe(false);
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: { kind: 'none' } }));
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(proxy.openedTunnels.length).toBe(openedCount + 1);
});

test.each([
  [{ HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  [{ https_proxy: 'http://q:1', HTTPS_PROXY: 'http://p:1' }, 'http://q:1'],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example, .example.org' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fhir.example.org:8443' }, 'http://p:1'],
  [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.org:443' }, undefined],
  [{ HTTPS_PROXY: 'http://p:1', no_proxy: '*' }, undefined],
  [{ HTTPS_PROXY: 'p:1' }, 'http://p:1'],
  [{ HTTPS_PROXY: 'no address' }, undefined],
  [{ HTTPS_PROXY: 'socks5://p:1' }, undefined],
  [{ HTTPS_PROXY: 'http://u:%zz@p:1' }, undefined],
  [{ https_proxy: '', HTTPS_PROXY: 'http://p:1' }, undefined],
  [{}, undefined],
])('the proxy of the environment %o is %s', (environment, expected) => {
  expect(environmentProxy(new URL('https://fhir.example.org/r4'), environment)).toBe(expected);
});

test('shows no canary of a password, passphrase, key or token in responses, lines and files', async () => {
  const lines: string[] = [];
  const loggingServer = await startTestServer({ logRequests: true }, (line) => void lines.push(line));
  const { settings } = await good({ authentication: { kind: 'bearer' } });
  const connected = await connect(loggingServer, settings, 'canary-token', {
    proxy: password,
    certificate: passphrase,
  });
  const responses = [
    ...(await Promise.all([
      connected.send('GET', '/CarePlan/a'),
      loggingServer.send('GET', '/app/connections'),
      loggingServer.send('POST', `/app/connections/${connected.id}/test`),
      loggingServer.send('GET', '/app/audit'),
      loggingServer.send('GET', '/app/activity'),
    ])),
    await loggingServer.send(
      'PUT',
      `/app/connections/${connected.id}/secrets/proxy`,
      '{"secret":"canary-wrong"}',
    ),
    await connected.send('GET', '/CarePlan/a'),
    await loggingServer.send('POST', `/app/connections/${connected.id}/test`),
  ];
  expect(responses[0]?.status).toBe(200);
  expect(responses.at(-1)?.json.ok).toBe(false);
  const texts = [...responses.map(({ text, headers }) => text + JSON.stringify([...headers])), ...lines];
  for (const name of readdirSync(loggingServer.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(loggingServer.dataDir, name);
    if (statSync(path).isFile()) texts.push(readFileSync(path, 'latin1'));
  }
  const key = readFileSync(keyFile('client.locked.pem'), 'latin1').split('\n')[1] ?? '';
  for (const canary of ['canary', key, Buffer.from(`ward:${password}`).toString('base64')]) {
    expect(texts.filter((text) => text.includes(canary))).toEqual([]);
  }
  await loggingServer.remove();
});
