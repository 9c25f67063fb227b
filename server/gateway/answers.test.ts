import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { connect, type Connected } from './testing/connect.ts';
import { sendFhir, startPeer, type Answerer, type Peer } from './testing/peer.ts';

let server: TestServer;
let peer: Peer;
let connected: Connected;
/** With a time limit of a second. */
let hasty: Connected;
let host: string;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startPeer((_request, response) => void response.end());
  connected = await connect(server, { baseUrl: `${peer.origin}/fhir` });
  hasty = await connect(server, { baseUrl: `${peer.origin}/fhir`, timeoutSeconds: 1 });
  ({ host } = new URL(peer.origin));
});
afterAll(() => Promise.all([server.remove(), peer.close()]));

const text = (response: { json: any }) => response.json.issue[0].details.text as string;

test('forwards digits, order, spaces and length of a body unchanged', async () => {
  const records = Array.from(
    { length: 2000 },
    (_, n) => `{"resource": {"id":"${n}","resourceType":"CarePlan","x":1.500e+0}}`,
  );
  const body = `\n{"entry":[${records.join(',\n')}],"n":12345678901234567890.10,"resourceType":"Bundle"}\n`;
  peer.answer((_request, response) => sendFhir(response, 200, body));
  const answer = await connected.send('GET', '/CarePlan?status=active');
  expect([answer.status, answer.text]).toEqual([200, body]);
  expect(answer.headers.get('content-type')).toBe('application/fhir+json;charset=utf-8');
});

test('decompresses a body and rejects one beyond the limit', async () => {
  const packed =
    (body: Buffer): Answerer =>
    (_request, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync(body));
  peer.answer(packed(Buffer.from('{"resourceType":"CarePlan","id":"a"}')));
  expect((await connected.send('GET', '/CarePlan/a')).text).toBe('{"resourceType":"CarePlan","id":"a"}');
  peer.answer(packed(Buffer.alloc(65 * 1024 * 1024, ' ')));
  const answer = await connected.send('GET', '/CarePlan/a');
  expect([answer.status, text(answer)]).toEqual([
    502,
    `The answer from ${host} is larger than 64 MB. Narrow the request.`,
  ]);
});

test('forwards only the listed headers', async () => {
  peer.answer((_request, response) =>
    sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}', {
      ETag: 'W/"abc-1"',
      'Last-Modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
      'X-Request-Id': 'remote-1',
      'Set-Cookie': 'session=1',
      'Access-Control-Allow-Origin': '*',
      'Content-Security-Policy': 'none',
      'X-Secret': 'canary',
      Server: 'nginx',
    }),
  );
  const { headers } = await connected.send('GET', '/CarePlan/a');
  expect(headers.get('etag')).toBe('W/"abc-1"');
  expect(headers.get('last-modified')).toBe('Wed, 21 Oct 2015 07:28:00 GMT');
  expect(headers.get('x-remote-request-id')).toBe('remote-1');
  expect(headers.get('x-request-id')).not.toBe('remote-1');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  for (const name of ['set-cookie', 'access-control-allow-origin', 'x-secret', 'server']) {
    expect([name, headers.get(name)]).toEqual([name, null]);
  }
});

test.each([
  ['@/CarePlan/7/_history/1', '/CarePlan/7/_history/1'],
  ['/fhir/CarePlan/7', '/CarePlan/7'],
  ['CarePlan/7/_history/1', '/CarePlan/7/_history/1'],
  ['http://evil.example/fhir/CarePlan/7', undefined],
  ['/elsewhere/CarePlan/7', undefined],
])('maps or omits the Location %s', async (location, path) => {
  const address = location.replace('@', `${peer.origin}/fhir`);
  peer.answer((_request, response) => void response.writeHead(201, { Location: address }).end());
  const { status, headers } = await connected.send('POST', '/CarePlan', '{}');
  const expected =
    path === undefined ? null : `${server.origin}/app/connections/${connected.id}/fhir-r4/v1${path}`;
  expect([status, headers.get('location')]).toEqual([201, expected]);
});

const unusable: readonly (readonly [
  what: string,
  status: number,
  type: string,
  body: string,
  sentence: string,
])[] = [
  [
    'a web page',
    200,
    'text/html',
    '<!doctype html><p>Sign in</p>',
    'answered 200 with a web page, not FHIR JSON.',
  ],
  ['XML', 200, 'application/fhir+xml', '<CarePlan/>', 'answered 200 with XML, not FHIR JSON.'],
  ['text', 200, 'text/plain', 'ok', 'answered 200 with other text, not FHIR JSON.'],
  ['other JSON', 200, 'application/json', '{"ok":true}', 'answered 200 with other JSON, not FHIR JSON.'],
  ['a list', 200, 'application/json', '["resourceType"]', 'answered 200 with other JSON, not FHIR JSON.'],
  [
    'half a record',
    200,
    'application/json',
    '{"resourceType":"CarePlan"',
    'answered 200 with other JSON, not FHIR JSON.',
  ],
  ['nothing', 200, 'application/json', '', 'answered 200 with nothing, not FHIR JSON.'],
  ['a failure page', 503, 'text/html', '<html>down</html>', 'failed with status 503 and no FHIR response.'],
];

test.each(unusable)(
  'turns %s into an OperationOutcome',
  async (_description, status, type, body, sentence) => {
    peer.answer((_request, response) => void response.writeHead(status, { 'Content-Type': type }).end(body));
    const answer = await connected.send('GET', '/CarePlan/a');
    expect([answer.status, text(answer)]).toEqual([502, `${host} ${sentence}`]);
  },
);

test('rejects text that is not UTF-8', async () => {
  peer.answer(
    (_request, response) =>
      void response.end(Buffer.from('{"resourceType":"CarePlan","title":"\xe9"}', 'latin1')),
  );
  expect((await connected.send('GET', '/CarePlan/a')).status).toBe(502);
});

test.each([
  [404, 'not found'],
  [409, 'conflict'],
  [410, 'deleted'],
  [412, 'changed by someone else'],
  [422, 'refused by a rule'],
])('keeps the status of a %i without FHIR and adds an OperationOutcome: %s', async (status, reason) => {
  peer.answer(
    (_request, response) => void response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>no'),
  );
  const answer = await connected.send('PUT', '/CarePlan/a', '{}', { 'If-Match': 'W/"1"' });
  expect([answer.status, answer.json.resourceType]).toEqual([status, 'OperationOutcome']);
  expect(text(answer)).toContain(`${host} answered ${status} (${reason})`);
});

test('forwards an OperationOutcome of the server', async () => {
  const outcome = '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"invalid"}]}';
  peer.answer((_request, response) => sendFhir(response, 422, outcome));
  const answer = await connected.send('POST', '/CarePlan', '{}');
  expect([answer.status, answer.text]).toEqual([422, outcome]);
});

test.each([200, 201, 204])('accepts a write response with status %i and no body', async (status) => {
  peer.answer((_request, response) => void response.writeHead(status, { ETag: 'W/"2"' }).end());
  const answer = await connected.send('PUT', '/CarePlan/a', '{}');
  expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([status, '', 'W/"2"']);
});

test('forwards 304', async () => {
  peer.answer((_request, response) => void response.writeHead(304, { ETag: 'W/"2"' }).end());
  expect((await connected.send('GET', '/CarePlan/a', undefined, { 'If-None-Match': 'W/"2"' })).status).toBe(
    304,
  );
});

test('sends PATCH and encounter in the dialect of the connection', async () => {
  const otherConnection = await connect(server, {
    baseUrl: `${peer.origin}/fhir`,
    patchType: 'application/json',
    encounterParameter: 'context',
  });
  peer.answer((_request, response) => sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}'));
  await connected.send('PATCH', '/CarePlan/a', '[]');
  expect(peer.requests.at(-1)?.headers['content-type']).toBe('application/json-patch+json');
  await otherConnection.send('PATCH', '/CarePlan/a', '[]', { 'Content-Type': 'application/json-patch+json' });
  expect(peer.requests.at(-1)?.headers['content-type']).toBe('application/json');
  await otherConnection.send(
    'GET',
    '/CarePlan?encounter=Encounter%2Fe1&encounter:missing=true&subject=a%20b%2B',
  );
  expect(peer.requests.at(-1)?.url).toBe(
    '/fhir/CarePlan?context=Encounter%2Fe1&context%3Amissing=true&subject=a%20b%2B',
  );
});

const slow: Answerer = () => undefined;
const cut: Answerer = (_request, response) => void response.socket?.destroy();
const partial: Answerer = (_request, response) => {
  response.writeHead(200, { 'Content-Length': 1000 });
  response.write('{"resourceType":', () => response.socket?.destroy());
};
const failures: readonly (readonly [what: string, answerer: Answerer, status: number, sentence: string])[] = [
  ['is slow', slow, 504, 'didn’t answer within the timeout.'],
  ['closes the connection', cut, 502, 'closed the connection before its answer was complete.'],
  ['breaks off', partial, 502, 'closed the connection before its answer was complete.'],
];

test.each(failures)(
  'explains a server that %s and calls a write unconfirmed',
  async (_description, answerer, status, sentence) => {
    peer.answer(answerer);
    const readResponse = await hasty.send('GET', '/CarePlan/a');
    expect([readResponse.status, text(readResponse)]).toEqual([status, `${host} ${sentence}`]);
    expect(readResponse.headers.get('x-chartkeeper-unconfirmed')).toBeNull();
    const before = peer.requests.length;
    const write = await hasty.send('PUT', '/CarePlan/a', '{}');
    expect([write.status, write.headers.get('x-chartkeeper-unconfirmed')]).toEqual([status, 'true']);
    expect(text(write)).toContain('It is not known whether the change was saved');
    expect(peer.requests.length - before).toBe(1);
  },
);

test('explains a stopped server, an unknown host and a response that is not HTTP', async () => {
  const stoppedPeer = await startPeer(slow);
  await stoppedPeer.close();
  const refusedConnection = await connect(server, { baseUrl: stoppedPeer.origin });
  const write = await refusedConnection.send('PUT', '/CarePlan/a', '{}');
  expect([write.status, text(write)]).toEqual([502, expect.stringContaining('refused the connection')]);
  expect(write.headers.get('x-chartkeeper-unconfirmed')).toBeNull();

  const nameless = await connect(server, { baseUrl: 'https://no-such-host.invalid' });
  const lookup = await nameless.send('GET', '/CarePlan/a');
  expect([lookup.status, text(lookup)]).toEqual([502, expect.stringMatching(/no-such-host\.invalid/)]);

  const odd = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const address = odd.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const otherConnection = await connect(server, { baseUrl: `http://127.0.0.1:${port}` });
  const response = await otherConnection.send('GET', '/CarePlan/a');
  expect([response.status, text(response)]).toEqual([
    502,
    `127.0.0.1:${port} returned something that is not HTTP.`,
  ]);
  const secure = await connect(server, { baseUrl: `https://127.0.0.1:${port}` });
  expect(text(await secure.send('GET', '/CarePlan/a'))).toContain('doesn’t support the TLS versions');
  odd.close();
});

test.each([
  ['repeats a read', 'GET', 200, 3],
  ['never repeats a write', 'PUT', 502, 2],
  ['never repeats a patch', 'PATCH', 502, 2],
] as const)('%s whose reused connection was closed', async (_, method, status, requestCount) => {
  let count = 0;
  const closer = await startPeer((_request, response) => {
    count += 1;
    if (count === 2) response.socket?.resetAndDestroy();
    else sendFhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');
  });
  const reusedConnection = await connect(server, { baseUrl: closer.origin });
  expect((await reusedConnection.send('GET', '/CarePlan/a')).status).toBe(200);
  const body = method === 'GET' ? undefined : '[]';
  expect((await reusedConnection.send(method, '/CarePlan/a', body)).status).toBe(status);
  expect(closer.requests).toHaveLength(requestCount);
  await closer.close();
});
