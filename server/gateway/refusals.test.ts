/** Tests requests that must not reach any server. Each is sent over a raw socket. */
import { connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { sendFhir, startPeer, type Peer } from './testing/peer.ts';

let server: TestServer;
/** The server of the connection, and one that must never receive a request. */
let peer: Peer;
let forbiddenPeer: Peer;
let connected: Connected;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_request, response) =>
    sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'),
  );
  forbiddenPeer = await startPeer((_request, response) =>
    sendFhir(response, 200, '{"resourceType":"Bundle"}'),
  );
  connected = await connect(server, { baseUrl: `${peer.origin}/fhir` });
});
afterAll(() => Promise.all([server.remove(), peer.close(), forbiddenPeer.close()]));

interface RawResponse {
  readonly status: number;
  readonly body: any;
}

/** Sends a request line unchanged. An HTTP client would normalize it. */
async function sendRaw(
  method: string,
  target: string,
  headers: readonly string[] = [],
): Promise<RawResponse> {
  const { port } = new URL(server.origin);
  const socket = openSocket(Number(port), '127.0.0.1');
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${server.token}`,
    'Connection: close',
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const response = await text(socket);
  const [head = '', ...body] = response.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    body: body.join('') === '' ? undefined : JSON.parse(body.join('')),
  };
}

/** `@` is the gateway's base of the connection, `#` the address of the other server, `%o` its host. */
const cases: readonly (readonly [what: string, method: string, target: string, status: number])[] = [
  // Other hosts
  ['another host as absolute form', 'GET', '#@/CarePlan/a', 403],
  ['an address of another host as absolute form', 'GET', '#/fhir/CarePlan/a', 403],
  ['another host behind an at sign', 'GET', '@/@%o/CarePlan', 404],
  ['userinfo before another host', 'GET', '@//user:pass@%o/CarePlan', 404],
  ['a network path', 'GET', '@//%o/CarePlan/a', 404],
  ['a whole address as the path', 'GET', '@/#/CarePlan', 404],
  ['a host in the id', 'GET', '@/CarePlan/x@%o', 404],
  ['a port behind the base', 'GET', '@:80/CarePlan/a', 404],
  // Paths
  ['a way up', 'GET', '@/../../admin', 404],
  ['a way up behind a type', 'GET', '@/CarePlan/..', 404],
  ['an encoded way up', 'GET', '@/CarePlan/%2e%2e', 404],
  ['a twice encoded way up', 'GET', '@/CarePlan/%252e%252e', 404],
  ['an encoded slash', 'GET', '@/CarePlan/a%2f..%2f..%2fadmin', 404],
  ['an encoded backslash', 'GET', '@/CarePlan/a%5c..%5cadmin', 404],
  ['a backslash', 'GET', '@/CarePlan/..\\..\\admin', 404],
  ['a single dot', 'GET', '@/CarePlan/.', 404],
  ['a line feed in the id', 'GET', '@/CarePlan/a%0d%0aX-Evil:1', 404],
  ['a null in the id', 'GET', '@/CarePlan/a%00', 404],
  ['a semicolon and parameters', 'GET', '@/CarePlan/a;x=1', 404],
  ['an id that is too long', 'GET', `@/CarePlan/${'a'.repeat(65)}`, 404],
  ['a type that R4 has not', 'GET', '@/Doctor/a', 404],
  ['another resource type with parameters', 'GET', '@/Patient/a?_format=xml', 404],
  ['a search of another type', 'GET', '@/Patient?name=x', 404],
  ['a search of another type by POST', 'POST', '@/Patient/_search', 404],
  ['a version of another type', 'GET', '@/Patient/a/_history/1', 404],
  ['the history of another type', 'GET', '@/Patient/a/_history', 404],
  ['an operation of another type', 'GET', '@/Patient/$everything', 404],
  ['a record of another type that is written', 'PUT', '@/Patient/a', 404],
  ['a record of another type that is patched', 'PATCH', '@/Patient/a', 404],
  ['a record of another type that is deleted', 'DELETE', '@/Patient/a', 404],
  ['a record of another type that is made', 'POST', '@/Patient', 404],
  ['a way up behind another type', 'GET', '@/Patient/%2e%2e', 404],
  ['a type in other letters', 'GET', '@/careplan/a', 404],
  ['an operation that is not offered', 'GET', '@/CarePlan/$everything', 404],
  ['an operation on the system', 'POST', '@/$export', 404],
  ['a compartment', 'GET', '@/Patient/a/CarePlan', 404],
  ['the SMART configuration', 'GET', '@/.well-known/smart-configuration', 404],
  ['the base itself, a transaction', 'POST', '@', 404],
  ['the base with a slash', 'POST', '@/', 404],
  ['an escape that cannot be decoded', 'GET', '@/CarePlan/%zz', 400],
  // Methods
  ['a deletion', 'DELETE', '@/CarePlan/a', 405],
  ['an update without an id', 'PUT', '@/CarePlan', 405],
  ['TRACE', 'TRACE', '@/CarePlan/a', 405],
  ['a method of WebDAV', 'PROPFIND', '@/CarePlan/a', 405],
  ['a read of the search address', 'GET', '@/CarePlan/_search', 405],
  ['a write with parameters', 'PUT', '@/CarePlan/a?_method=DELETE', 400],
  // Connections
  ['a connection that is not there', 'GET', '/app/connections/none/fhir-r4/v1/CarePlan/a', 404],
  ['a connection spelled with escapes', 'GET', '/app/connections/%2e%2e/fhir-r4/v1/CarePlan/a', 404],
];

test.each(cases)('%s', async (_description, method, target, status) => {
  const base = `/app/connections/${connected.id}/fhir-r4/v1`;
  const address = target
    .replace('@', target.startsWith('@') || target.startsWith('#@') ? base : '@')
    .replace('#', forbiddenPeer.origin)
    .replace('%o', new URL(forbiddenPeer.origin).host);
  const before = peer.requests.length;
  const response = await sendRaw(
    method,
    address,
    method === 'PUT' ? ['Content-Type: application/json', 'Content-Length: 2', '', '{}'] : [],
  );
  expect([response.status, response.body?.resourceType]).toEqual([status, 'OperationOutcome']);
  expect([peer.requests.length - before, forbiddenPeer.requests.length]).toEqual([0, 0]);
});

test('reads a resource of any R4 type and forwards only that resource', async () => {
  peer.answer(({ url }, response) => {
    const [, , type = '', id = ''] = url.split('/');
    sendFhir(response, 200, `{"resourceType":"${type}","id":"${id === 'lie' ? 'b' : id}","x":1.10}`);
  });
  for (const type of ['Patient', 'Encounter', 'Practitioner', 'Goal', 'Condition']) {
    const response = await connected.send('GET', `/${type}/a-1`);
    expect([response.status, response.text]).toEqual([200, `{"resourceType":"${type}","id":"a-1","x":1.10}`]);
    expect(peer.requests.at(-1)?.url).toBe(`/fhir/${type}/a-1`);
  }
  expect((await connected.send('GET', '/Patient/lie')).status).toBe(502);
  peer.answer((_request, response) => sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'));
});

test('forwards only the listed request headers', async () => {
  const forwardedHeaders = {
    Accept: 'application/fhir+json',
    'If-None-Match': 'W/"1"',
    'If-Modified-Since': 'Wed, 21 Oct 2015 07:28:00 GMT',
    Prefer: 'handling=strict',
  };
  await connected.send('GET', '/CarePlan/a', undefined, {
    ...forwardedHeaders,
    Cookie: 'a=b',
    'X-Forwarded-Host': 'evil.example',
    'X-HTTP-Method-Override': 'DELETE',
    Forwarded: 'host=evil.example',
    'X-Chartkeeper-Client': 'workbench',
    'Proxy-Authorization': 'Basic eDp5',
    TE: 'trailers',
  });
  const { headers } = peer.requests.at(-1) ?? { headers: {} };
  expect(headers).toEqual({
    ...Object.fromEntries(
      Object.entries(forwardedHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    'accept-encoding': 'gzip',
    connection: 'keep-alive',
    host: new URL(peer.origin).host,
    'user-agent': 'Chartkeeper',
  });
});

test('rejects a body of another type', async () => {
  const before = peer.requests.length;
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ]) {
    const response = await connected.send('POST', '/CarePlan', '{}', { 'Content-Type': type });
    expect([type, response.status]).toEqual([type, 415]);
  }
  expect(peer.requests.length).toBe(before);
});

test('sends no body with a read', async () => {
  const response = await sendRaw('GET', `/app/connections/${connected.id}/fhir-r4/v1/CarePlan/a`, [
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ]);
  expect(response.status).toBe(200);
  expect(peer.requests.at(-1)).toMatchObject({
    method: 'GET',
    url: '/fhir/CarePlan/a',
    body: Buffer.alloc(0),
  });
});

/** `@` is the base URL, `#` the other server. */
const redirects: readonly (readonly [what: string, method: string, status: number, location: string])[] = [
  ['to another host', 'GET', 302, '#/fhir/CarePlan/a'],
  ['to another host without a scheme', 'GET', 307, '//%o/fhir/CarePlan/a'],
  ['with userinfo', 'GET', 302, 'http://user:pass@%p/fhir/CarePlan/b'],
  ['above the base', 'GET', 301, '/admin'],
  ['above the base by dots', 'GET', 301, '@/../admin'],
  ['above the base by escapes', 'GET', 301, '@/CarePlan/..%2f..%2fadmin'],
  ['to another scheme', 'GET', 302, 'file:///etc/passwd'],
  ['of a write', 'PUT', 307, '@/CarePlan/a?moved=1'],
  ['without end', 'GET', 302, '@/CarePlan/a'],
  ['without an address', 'GET', 302, ''],
  ['to another record', 'GET', 302, '@/CarePlan/b'],
  ['to another type', 'GET', 302, '@/Patient/a?x=y'],
  ['to the type', 'GET', 302, '@/CarePlan'],
  ['to an operation', 'GET', 302, '@/CarePlan/a/$everything'],
  ['to a place that is no resource', 'GET', 302, '@/admin/delete-all?confirm=1'],
];

test.each(redirects)('does not follow a redirect %s', async (description, method, status, location) => {
  const address = location
    .replace('@', `${peer.origin}/fhir`)
    .replace('#', forbiddenPeer.origin)
    .replace('%o', new URL(forbiddenPeer.origin).host)
    .replace('%p', new URL(peer.origin).host);
  peer.answer((_request, response) => void response.writeHead(status, { Location: address }).end());
  const before = peer.requests.length;
  const answer = await connected.send(method, '/CarePlan/a', method === 'PUT' ? '{}' : undefined);
  expect([answer.status, answer.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining('redirects'),
  ]);
  expect(answer.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  expect([peer.requests.length - before, forbiddenPeer.requests.length]).toEqual([
    description === 'without end' ? 4 : 1,
    0,
  ]);
});

test('follows a redirect of a read within the record', async () => {
  peer.answer(({ url }, response) => {
    if (url.endsWith('?from=old')) sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');
    else response.writeHead(301, { Location: '/fhir/CarePlan/a/_history/2?from=old' }).end();
  });
  expect((await connected.send('GET', '/CarePlan/a')).json.id).toBe('a');
});

/** `@` is the base URL, `#` the other server. */
const links = [
  '#/fhir?_getpages=1',
  '//%o/fhir?page=2',
  'http://user:pass@%p/fhir?page=2',
  '@/../admin?page=2',
  '@/CarePlan/..%2f..%2fadmin?page=2',
  '@/%2e%2e/admin',
  '@\\..\\admin',
  '@evil?page=2',
  '@/Patient?page=2',
  '@/$export',
  '@/admin/delete-all?confirm=1',
  '@/CarePlan/a/b/c',
  '@/CarePlan/$everything',
  '@#fragment',
  '/fhir?page=2',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '',
];

test.each(links)('does not follow a link: %s', async (link) => {
  const address = link
    .replace('@', link.startsWith('@') ? `${peer.origin}/fhir` : '@')
    .replace(/^#/, forbiddenPeer.origin)
    .replace('%o', new URL(forbiddenPeer.origin).host)
    .replace('%p', new URL(peer.origin).host);
  const before = peer.requests.length;
  const response = await server.send(
    'GET',
    `/app/connections/${connected.id}/page?link=${encodeURIComponent(address)}`,
  );
  expect([response.status, response.json.resourceType]).toEqual([400, 'OperationOutcome']);
  expect([peer.requests.length - before, forbiddenPeer.requests.length]).toEqual([0, 0]);
});

test.each(['?_getpages=a&_getpagesoffset=20', '/CarePlan?page=2', '/CarePlan/_search?ct=abc', '/_page/2'])(
  'follows a link below the base: %s',
  async (linkPath) => {
    peer.answer((_request, response) => sendFhir(response, 200, '{"resourceType":"Bundle"}'));
    const link = encodeURIComponent(`${peer.origin}/fhir${linkPath}`);
    const answer = await server.send('GET', `/app/connections/${connected.id}/page?link=${link}`);
    expect([answer.status, peer.requests.at(-1)?.url]).toEqual([200, `/fhir${linkPath}`]);
  },
);
