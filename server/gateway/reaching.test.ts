/** What fails on the way to a server: each test names the step, and nothing secret. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionTest } from '../../core/app/connections.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { environmentProxy } from './proxy.ts';
import { connect } from './testing/connect.ts';
import { clientCertificates, demanding, keyFile, passphrase, shown } from './testing/identities.ts';
import { fhir, honest, startPeer, type Answerer, type Peer } from './testing/peer.ts';
import { startProxy, type ConnectProxy } from './testing/proxy.ts';

const password = 'canary-of-the-proxy';
const caFile = keyFile('loopback.cert.pem');
const { locked, pem } = clientCertificates;

let server: TestServer;
let proxy: ConnectProxy;
/** A port that the system gives to nobody by itself: one that was just closed is soon another's. */
const closed = { url: 'http://127.0.0.1:1' };
let refusing: ConnectProxy;
const peers: Peer[] = [];
beforeAll(async () => {
  server = await startTestServer();
  proxy = await startProxy('ward', password);
  refusing = await startProxy('ward', password, 403);
});
afterAll(() =>
  Promise.all([server.remove(), proxy.close(), refusing.close(), ...peers.map((one) => one.close())]),
);

async function peer(tls: Parameters<typeof startPeer>[1], answerer: Answerer = capable): Promise<string> {
  const made = await startPeer(answerer, tls);
  peers.push(made);
  return made.origin;
}

const capable: Answerer = (seen, response) =>
  seen.url.endsWith('/metadata')
    ? fhir(response, 200, '{"resourceType":"CapabilityStatement","fhirVersion":"4.0.1"}')
    : honest(seen, response);

const answering =
  (status: number): Answerer =>
  (seen, response) =>
    seen.url.endsWith('/metadata') ? capable(seen, response) : void response.writeHead(status).end();

const page: Answerer = (_seen, response) =>
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
    ...{ baseUrl: await peer(demanding()), caFile, proxy: through(proxy), clientCertificate: locked },
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

const wrong: readonly (readonly [what: string, step: string, sentence: string, () => Promise<Wrong>])[] = [
  [
    'a name that is none',
    'name',
    'No server has the name nobody.invalid',
    () => good({ baseUrl: 'https://nobody.invalid', proxy: straight }),
  ],
  [
    'a port on which nothing listens',
    'connection',
    'refuses the connection',
    () => good({ baseUrl: closed.url.replace('http:', 'https:'), proxy: straight }),
  ],
  [
    'a proxy that does not listen',
    'proxy',
    'The proxy is not reached',
    () => good({ proxy: through(closed) }),
  ],
  [
    'a proxy that lets nobody through',
    'proxy',
    'does not let requests through',
    () => good({ proxy: through(refusing) }),
  ],
  [
    "a wrong password of the proxy's",
    'proxy',
    'does not take the user and password (407)',
    () => good({}, { proxy: 'wrong' }),
  ],
  [
    'an authority that nobody knows',
    'tls',
    'signed by no authority that is known here',
    () => good({ caFile: keyFile('other.cert.pem') }),
  ],
  [
    'a certificate that has expired',
    'tls',
    'has expired',
    async () => good({ baseUrl: await peer(shown('expired')), caFile: keyFile('expired.cert.pem') }),
  ],
  [
    "another host's certificate",
    'tls',
    'was made for another name',
    async () => good({ baseUrl: await peer(shown('other')), caFile: keyFile('other.cert.pem') }),
  ],
  [
    'no client certificate',
    'tls',
    'demands a client certificate',
    () => good({ clientCertificate: undefined }),
  ],
  [
    'a wrong pass phrase',
    'tls',
    'The pass phrase does not open the client certificate',
    () => good({}, { certificate: 'wrong' }),
  ],
  [
    '401',
    'authentication',
    'The server asks for credentials',
    async () => good({ baseUrl: await peer(demanding(), answering(401)) }),
  ],
  [
    '403',
    'rights',
    'does not let this connection search CarePlan (403)',
    async () => good({ baseUrl: await peer(demanding(), answering(403)) }),
  ],
  [
    'a web page',
    'fhir',
    'no FHIR CapabilityStatement',
    async () => good({ baseUrl: await peer(demanding(), page) }),
  ],
];

test.each(wrong)('%s fails at %s: %s', async (_what, step, sentence, made) => {
  const { steps } = await tryOut(await made());
  expect(steps.filter(({ outcome }) => outcome === 'failed')).toEqual([
    { step, outcome: 'failed', text: expect.stringContaining(sentence) as string },
  ]);
  const at = steps.findIndex((one) => one.step === step);
  expect(steps.slice(at + 1).every(({ outcome }) => outcome === 'skipped')).toBe(true);
});

test('what goes well says how: the proxy, who signed, what is spoken, what may be done', async () => {
  const tried = await tryOut(await good());
  expect(tried.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    ...['name skipped', 'proxy done', 'connection done', 'tls done', 'authentication skipped'],
    ...['fhir done', 'rights done'],
  ]);
  expect(tried.steps[3]?.text).toMatch(/^Signed by Chartkeeper tests, good until .+ GMT\.$/);
});

test.each([
  ['normal', 'The server announces no way to write; it was not tried.'],
  ['read-only', 'Nothing is written: the connection is read-only.'],
])('what a %s connection may do is said', async (mode, sentence) => {
  const { steps } = await tryOut(await good({ mode }));
  expect(steps.at(-1)).toEqual({
    step: 'rights',
    outcome: 'done',
    text: `CarePlan can be searched. ${sentence}`,
  });
});

test('a server without a CapabilityStatement works: a search that answers FHIR shows it', async () => {
  const bare: Answerer = (seen, response) =>
    seen.url.endsWith('/metadata') ? void response.writeHead(404).end() : honest(seen, response);
  const tried = await tryOut(await good({ baseUrl: await peer(demanding(), bare) }));
  expect(tried).toMatchObject({ ok: true, remarks: ['It works; it has no CapabilityStatement.'] });
});

test('a test stores nothing, and keeps no secret', async () => {
  const before = (await server.send('GET', '/app/connections')).text;
  await tryOut(await good());
  expect((await server.send('GET', '/app/connections')).text).toBe(before);
});

test('kept secrets go where they were given for, in a test too', async () => {
  const { settings } = await good({ authentication: { kind: 'bearer' } });
  const kept = await connect(server, settings, 'canary-token', { proxy: password, certificate: passphrase });
  const seen = peers.at(-1)?.seen ?? [];
  const named = { name: 'Renamed', mode: 'normal' };
  const ask = async (change: object) => {
    const body = JSON.stringify({ settings: { ...settings, ...named, ...change }, id: kept.id });
    return (await server.send('POST', '/app/connections/test', body)).json as ConnectionTest;
  };
  expect((await ask({})).ok).toBe(true);
  expect(seen.some(({ headers }) => headers.authorization === 'Bearer canary-token')).toBe(true);
  const elsewhere = await ask({ baseUrl: await peer(demanding()) });
  expect(elsewhere).toMatchObject({ ok: false, text: 'Enter the access token of this connection.' });
  expect(peers.at(-1)?.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  const other = await startProxy('ward', password);
  expect((await ask({ proxy: through(other) })).steps[1]).toMatchObject({ outcome: 'failed' });
  expect(other.opened).toEqual([]);
  await other.close();
  // And where it is stored.
  const changed = { ...settings, ...named, proxy: through(refusing), clientCertificate: pem };
  await server.send('PUT', `/app/connections/${kept.id}`, JSON.stringify(changed));
  expect(await kept.summary()).toMatchObject({
    ...{ secretSet: false, proxySecretSet: false, certificateSecretSet: false },
  });
});

test('the default proxy is used by whoever names none', async () => {
  const { settings } = await good({ proxy: undefined });
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: through(proxy) }));
  await server.send('PUT', '/app/connections/default/secrets/proxy', JSON.stringify({ secret: password }));
  const opened = proxy.opened.length;
  const there = await connect(server, settings, undefined, { certificate: passphrase });
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(proxy.opened.length).toBe(opened + 1);
  await server.send('DELETE', '/app/connections/default/secrets/proxy');
  const refused = await there.send('GET', '/CarePlan/a');
  expect([refused.status, refused.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining('(407)'),
  ]);
  await server.send('PUT', '/app/connections/default/secrets/proxy', JSON.stringify({ secret: password }));
  const other = { kind: 'address', url: closed.url, user: 'ward' };
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: other }));
  expect((await server.send('GET', '/app/connections')).json.proxySecretSet).toBe(false);
  await server.send('PUT', '/app/preferences', JSON.stringify({ proxy: { kind: 'none' } }));
  expect((await there.send('GET', '/CarePlan/a')).status).toBe(200);
  expect(proxy.opened.length).toBe(opened + 1);
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

test('no canary of a password, a pass phrase, a key or a token is in any answer, line or file', async () => {
  const said: string[] = [];
  const own = await startTestServer({ logRequests: true }, (line) => void said.push(line));
  const { settings } = await good({ authentication: { kind: 'bearer' } });
  const there = await connect(own, settings, 'canary-token', { proxy: password, certificate: passphrase });
  const answers = [
    ...(await Promise.all([
      there.send('GET', '/CarePlan/a'),
      own.send('GET', '/app/connections'),
      own.send('POST', `/app/connections/${there.id}/test`),
      own.send('GET', '/app/audit'),
      own.send('GET', '/app/activity'),
    ])),
    await own.send('PUT', `/app/connections/${there.id}/secrets/proxy`, '{"secret":"canary-wrong"}'),
    await there.send('GET', '/CarePlan/a'),
    await own.send('POST', `/app/connections/${there.id}/test`),
  ];
  expect(answers[0]?.status).toBe(200);
  expect(answers.at(-1)?.json.ok).toBe(false);
  const texts = [...answers.map(({ text, headers }) => text + JSON.stringify([...headers])), ...said];
  for (const name of readdirSync(own.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(own.dataDir, name);
    if (statSync(path).isFile()) texts.push(readFileSync(path, 'latin1'));
  }
  const key = readFileSync(keyFile('client.locked.pem'), 'latin1').split('\n')[1] ?? '';
  for (const canary of ['canary', key, Buffer.from(`ward:${password}`).toString('base64')]) {
    expect(texts.filter((text) => text.includes(canary))).toEqual([]);
  }
  await own.remove();
});
