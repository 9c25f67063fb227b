/** Sends bytes that no client sends. The server responds with JSON, and accepts the next request. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { noFaultAmongRequests, startTestServer, type TestServer } from '../testing/test-server.ts';
import { listRejectionFaults } from './testing/outcome.ts';
import { exchange, readAnswers } from './testing/raw-socket.ts';
import { toPath, store, text } from './testing/records.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await startTestServer({ logRequests: true }, noFaultAmongRequests);
  ({ path } = await store(server, 'CarePlan'));
});
afterAll(() => server.remove());
afterEach(async () => {
  expect((await server.send('GET', path)).status).toBe(200);
});

/** Fills host, token, paths and a record into a template. */
function fillTemplate(template: string): string {
  const { host } = new URL(server.origin);
  const good = `Host: ${host}\r\nAuthorization: Bearer ${server.token}\r\n`;
  return template
    .replaceAll('GOOD', good)
    .replaceAll('HOST', host)
    .replaceAll('RECORD', path)
    .replaceAll('TYPE', toPath('CarePlan'))
    .replaceAll('BODY', text('CarePlan'))
    .replaceAll('LENGTH', String(text('CarePlan').length));
}

const post = 'POST TYPE HTTP/1.1\r\nGOODContent-Type: application/json\r\n';
const get = 'GET RECORD HTTP/1.1\r\nGOOD';

/** Requests that are rejected with one of their statuses and an OperationOutcome. */
type Abuse = readonly [name: string, template: string, statuses: readonly number[]];
const rejectedRequests: readonly Abuse[] = [
  ['a broken request line', 'HELLO\r\n\r\n', [400]],
  ['a request line of three words that are none', 'one two three\r\n\r\n', [400]],
  ['a method that does not exist', 'EXPLODE / HTTP/1.1\r\nGOOD\r\n', [400, 405, 501]],
  ['a method in lower case', `get RECORD HTTP/1.1\r\nGOOD\r\n`, [400, 405]],
  ['line feeds alone', get.replaceAll('\r\n', '\n').replace('GOOD', 'Host: HOST\n') + '\n', [400, 401]],
  ['carriage returns alone', 'GET / HTTP/1.1\rHost: HOST\r\r', [400]],
  ['no Host', `GET RECORD HTTP/1.1\r\n\r\n`, [400]],
  ['two Hosts', `${get}Host: HOST\r\n\r\n`, [400]],
  ['an empty Host', `GET RECORD HTTP/1.1\r\nHost:\r\n\r\n`, [400, 403]],
  ['another Host', `GET RECORD HTTP/1.1\r\nHost: evil.example\r\n\r\n`, [400, 403]],
  ['a header that is too large', `${get}X: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
  ['too many headers', `${get}${Array.from({ length: 3000 }, (_, n) => `X${n}: a\r\n`).join('')}\r\n`, [431]],
  ['an address that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nGOOD\r\n`, [414, 431]],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n', [400, 403, 405, 501]],
  ['CONNECT with a token', 'CONNECT HOST HTTP/1.1\r\nGOOD\r\n', [400, 405, 501]],
  [
    'Upgrade',
    `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n`,
    [400, 403, 405, 426, 501],
  ],
  [
    'Upgrade to h2c',
    `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: a\r\n\r\n`,
    [400, 403, 405, 426, 501],
  ],
  ['TRACE', `TRACE RECORD HTTP/1.1\r\nGOOD\r\n`, [400, 405, 501]],
  ['another Expect', `${post}Expect: 200-ok\r\nContent-Length: LENGTH\r\n\r\nBODY`, [417]],
  ['a negative Content-Length', `${post}Content-Length: -1\r\n\r\n`, [400]],
  ['two Content-Lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n123456`, [400]],
  ['a Content-Length that is a list', `${post}Content-Length: 5, 6\r\n\r\n123456`, [400]],
  ['a Content-Length in words', `${post}Content-Length: five\r\n\r\n12345`, [400]],
  ['a hexadecimal Content-Length', `${post}Content-Length: 0x10\r\n\r\n`, [400]],
  ['a huge Content-Length', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`, [400, 413]],
  ['a large Content-Length', `${post}Content-Length: 999999999\r\n\r\n{}`, [400, 413]],
  [
    'Content-Length beside Transfer-Encoding',
    `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  [
    'Transfer-Encoding beside Content-Length',
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  ['chunked twice over', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`, [400, 501]],
  [
    'a Transfer-Encoding that is none',
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    [400, 415, 501],
  ],
  ['a chunk that is garbage', `${post}Transfer-Encoding: chunked\r\n\r\nnothing hexadecimal\r\n`, [400]],
  [
    'a chunk that is longer than it says',
    `${post}Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n`,
    [400],
  ],
  ['a chunk of a huge size', `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n`, [400, 413]],
  ['NUL in a header', `${get}X: a\0b\r\n\r\n`, [400]],
  ['NUL in the address', 'GET /a\0b HTTP/1.1\r\nGOOD\r\n', [400]],
  ['a control character in a header name', `${get}X\x01Y: a\r\n\r\n`, [400]],
  ['a space before the colon', `${get}X : a\r\n\r\n`, [400]],
  ['a header without a colon', `${get}nonsense\r\n\r\n`, [400]],
  ['a header that starts with a space', `GET RECORD HTTP/1.1\r\n Host: HOST\r\n\r\n`, [400]],
  [
    'a token folded over two lines',
    'GET RECORD HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer\r\n abc\r\n\r\n',
    [400, 401],
  ],
  ['HTTP/0.9', 'GET /\r\n\r\n', [400, 505]],
  ['HTTP/3.0', 'GET RECORD HTTP/3.0\r\nGOOD\r\n', [400, 505]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505]],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  [
    'an absolute address of another host',
    'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    [400, 403, 404],
  ],
  ['OPTIONS * without a token', 'OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n', [400, 401, 404]],
  ['bytes above 127 in the address', 'GET /\xff\xfe HTTP/1.1\r\nGOOD\r\n', [400, 404]],
  ['a path that climbs', 'GET /fhir-r4/v1/../../../../etc/passwd HTTP/1.1\r\nGOOD\r\n', [400, 404]],
  ['a path that climbs in escapes', 'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nGOOD\r\n', [400, 403, 404]],
  ['a body without its length', `${post}\r\nBODY`, [400]],
];

describe('refused with an OperationOutcome', () => {
  test.each(rejectedRequests)('%s', async (_, template, statuses) => {
    const bytes = await exchange(server.origin, fillTemplate(template));
    const [answer] = readAnswers(bytes);
    expect(bytes.toString('latin1')).not.toMatch(/<html|<!doctype/i);
    expect(statuses).toContain(answer?.status);
    expect(answer && listRejectionFaults(answer)).toEqual([]);
  });
});

describe('half a request followed by a close', () => {
  test.each([
    ['nothing', ''],
    ['half a request line', 'GET /fhir'],
    ['half the headers', 'GET RECORD HTTP/1.1\r\nHost: HO'],
    ['headers without an end', get],
    ['half a body', `${post}Content-Length: LENGTH\r\n\r\n{"resource`],
    ['half a chunk', `${post}Transfer-Encoding: chunked\r\n\r\nff\r\n{"resource`],
  ])('returns JSON or closes cleanly after %s, and stores nothing', async (_, template) => {
    const search = `${toPath('CarePlan')}?subject=sample&_count=0`;
    const before = (await server.send('GET', search)).json.total;
    const bytes = await exchange(server.origin, fillTemplate(template), { halfClose: true });
    const answers = readAnswers(bytes);
    expect(answers.flatMap(listRejectionFaults)).toEqual([]);
    expect(answers.length).toBe(bytes.length === 0 ? 0 : 1);
    expect((await server.send('GET', search)).json.total).toBe(before);
  });
});

describe('valid HTTP', () => {
  const statuses = (bytes: Buffer) => readAnswers(bytes).map(({ status }) => status);

  test('answers Expect: 100-continue', async () => {
    const bytes = fillTemplate(`${post}Expect: 100-continue\r\nContent-Length: LENGTH\r\n\r\nBODY`);
    expect(statuses(await exchange(server.origin, bytes, { answers: 2 }))).toEqual([100, 201]);
  });

  test('answers pipelined requests in order', async () => {
    const request = fillTemplate(`${get}\r\n`);
    const requests = request + fillTemplate('DELETE RECORD HTTP/1.1\r\nGOOD\r\n') + request;
    expect(statuses(await exchange(server.origin, requests, { answers: 3 }))).toEqual([200, 405, 200]);
  });

  test('separates a pipelined request from a rejected body before it', async () => {
    const requests = fillTemplate(`${post}Content-Length: 2\r\n\r\n[]${get}\r\n`);
    expect(statuses(await exchange(server.origin, requests, { answers: 2 }))).toEqual([400, 200]);
  });

  test('accepts a chunked body with trailers and an extension', async () => {
    const body = text('CarePlan');
    const chunks = `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nX-Trailer: a\r\n\r\n`;
    const bytes = fillTemplate(`${post}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    expect(statuses(await exchange(server.origin, bytes))).toEqual([201]);
  });

  test('accepts a body that arrives a byte at a time', async () => {
    const head = fillTemplate(`${post}Content-Length: LENGTH\r\n\r\nBODY`);
    expect(statuses(await exchange(server.origin, head, { bytewise: true }))).toEqual([201]);
  });

  test('accepts an empty line before the request, and HTTP/1.0', async () => {
    expect(statuses(await exchange(server.origin, fillTemplate(`\r\n${get}\r\n`)))).toEqual([200]);
    const old = fillTemplate('GET RECORD HTTP/1.0\r\nGOOD\r\n');
    const [answer] = readAnswers(await exchange(server.origin, old));
    expect(answer?.header('content-type')).toContain('application/json');
  });

  test('sends the next response directly after HEAD, which has no body', async () => {
    const bytes = fillTemplate(`HEAD RECORD HTTP/1.1\r\nGOOD\r\n${get}Connection: close\r\n\r\n`);
    const received = (await exchange(server.origin, bytes, { answers: 99 })).toString();
    expect(received.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(2);
    expect(received.match(/"resourceType"/g)).toHaveLength(1);
  });

  test('returns 400 to a hundred broken connections at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => exchange(server.origin, 'HELLO\r\n\r\n')),
    );
    expect(new Set(answers.flatMap(statuses))).toEqual(new Set([400]));
  });
});
