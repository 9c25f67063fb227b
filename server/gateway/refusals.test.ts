/** What the gateway must not be talked into: each case is sent by hand, over a raw socket, and reaches no one. */
import { connect as openSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { fhir, startPeer, type Peer } from './testing/peer.ts';

let server: TestServer;
/** The server of the connection, and one that must never be asked anything. */
let peer: Peer;
let other: Peer;
let there: Connected;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_seen, response) => fhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'));
  other = await startPeer((_seen, response) => fhir(response, 200, '{"resourceType":"Bundle"}'));
  there = await connect(server, { baseUrl: `${peer.origin}/fhir` });
});
afterAll(() => Promise.all([server.remove(), peer.close(), other.close()]));

interface Sent {
  readonly status: number;
  readonly body: any;
}

/** Sends a request line as it stands: no client tidies it up first. */
async function sendRaw(method: string, target: string, headers: readonly string[] = []): Promise<Sent> {
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
  const answer = await text(socket);
  const [head = '', ...body] = answer.split('\r\n\r\n');
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

test.each(cases)('%s', async (_what, method, target, status) => {
  const base = `/app/connections/${there.id}/fhir-r4/v1`;
  const address = target
    .replace('@', target.startsWith('@') || target.startsWith('#@') ? base : '@')
    .replace('#', other.origin)
    .replace('%o', new URL(other.origin).host);
  const before = peer.seen.length;
  const answer = await sendRaw(
    method,
    address,
    method === 'PUT' ? ['Content-Type: application/json', 'Content-Length: 2', '', '{}'] : [],
  );
  expect([answer.status, answer.body?.resourceType]).toEqual([status, 'OperationOutcome']);
  expect([peer.seen.length - before, other.seen.length]).toEqual([0, 0]);
});

test('a resource of any type of R4 is read, and nothing but that resource is answered', async () => {
  peer.answer(({ url }, response) => {
    const [, , type = '', id = ''] = url.split('/');
    fhir(response, 200, `{"resourceType":"${type}","id":"${id === 'lie' ? 'b' : id}","x":1.10}`);
  });
  for (const type of ['Patient', 'Encounter', 'Practitioner', 'Goal', 'Condition']) {
    const answer = await there.send('GET', `/${type}/a-1`);
    expect([answer.status, answer.text]).toEqual([200, `{"resourceType":"${type}","id":"a-1","x":1.10}`]);
    expect(peer.seen.at(-1)?.url).toBe(`/fhir/${type}/a-1`);
  }
  expect((await there.send('GET', '/Patient/lie')).status).toBe(502);
  peer.answer((_seen, response) => fhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'));
});

test('headers: those of the list pass, all others stay here', async () => {
  const passed = {
    Accept: 'application/fhir+json',
    'If-None-Match': 'W/"1"',
    'If-Modified-Since': 'Wed, 21 Oct 2015 07:28:00 GMT',
    Prefer: 'handling=strict',
  };
  await there.send('GET', '/CarePlan/a', undefined, {
    ...passed,
    Cookie: 'a=b',
    'X-Forwarded-Host': 'evil.example',
    'X-HTTP-Method-Override': 'DELETE',
    Forwarded: 'host=evil.example',
    'X-Chartkeeper-Client': 'workbench',
    'Proxy-Authorization': 'Basic eDp5',
    TE: 'trailers',
  });
  const { headers } = peer.seen.at(-1) ?? { headers: {} };
  expect(headers).toEqual({
    ...Object.fromEntries(Object.entries(passed).map(([name, value]) => [name.toLowerCase(), value])),
    'accept-encoding': 'gzip',
    connection: 'keep-alive',
    host: new URL(peer.origin).host,
    'user-agent': 'Chartkeeper',
  });
});

test('a body of another kind stays here', async () => {
  const before = peer.seen.length;
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ]) {
    const answer = await there.send('POST', '/CarePlan', '{}', { 'Content-Type': type });
    expect([type, answer.status]).toEqual([type, 415]);
  }
  expect(peer.seen.length).toBe(before);
});

test('a read carries no body on', async () => {
  const answer = await sendRaw('GET', `/app/connections/${there.id}/fhir-r4/v1/CarePlan/a`, [
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ]);
  expect(answer.status).toBe(200);
  expect(peer.seen.at(-1)).toMatchObject({ method: 'GET', url: '/fhir/CarePlan/a', body: Buffer.alloc(0) });
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

test.each(redirects)('a redirect %s is not followed', async (what, method, status, location) => {
  const address = location
    .replace('@', `${peer.origin}/fhir`)
    .replace('#', other.origin)
    .replace('%o', new URL(other.origin).host)
    .replace('%p', new URL(peer.origin).host);
  peer.answer((_seen, response) => void response.writeHead(status, { Location: address }).end());
  const before = peer.seen.length;
  const answer = await there.send(method, '/CarePlan/a', method === 'PUT' ? '{}' : undefined);
  expect([answer.status, answer.json.issue[0].details.text]).toEqual([
    502,
    expect.stringContaining('redirects'),
  ]);
  expect(answer.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
  expect([peer.seen.length - before, other.seen.length]).toEqual([what === 'without end' ? 4 : 1, 0]);
});

test('a redirect of a read within the record is followed', async () => {
  peer.answer(({ url }, response) => {
    if (url.endsWith('?from=old')) fhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');
    else response.writeHead(301, { Location: '/fhir/CarePlan/a/_history/2?from=old' }).end();
  });
  expect((await there.send('GET', '/CarePlan/a')).json.id).toBe('a');
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

test.each(links)('a link is not followed: %s', async (link) => {
  const address = link
    .replace('@', link.startsWith('@') ? `${peer.origin}/fhir` : '@')
    .replace(/^#/, other.origin)
    .replace('%o', new URL(other.origin).host)
    .replace('%p', new URL(peer.origin).host);
  const before = peer.seen.length;
  const answer = await server.send(
    'GET',
    `/app/connections/${there.id}/page?link=${encodeURIComponent(address)}`,
  );
  expect([answer.status, answer.json.resourceType]).toEqual([400, 'OperationOutcome']);
  expect([peer.seen.length - before, other.seen.length]).toEqual([0, 0]);
});

test.each(['?_getpages=a&_getpagesoffset=20', '/CarePlan?page=2', '/CarePlan/_search?ct=abc', '/_page/2'])(
  'a link below the base is followed: %s',
  async (rest) => {
    peer.answer((_seen, response) => fhir(response, 200, '{"resourceType":"Bundle"}'));
    const link = encodeURIComponent(`${peer.origin}/fhir${rest}`);
    const answer = await server.send('GET', `/app/connections/${there.id}/page?link=${link}`);
    expect([answer.status, peer.seen.at(-1)?.url]).toEqual([200, `/fhir${rest}`]);
  },
);
