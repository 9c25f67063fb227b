import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let closed: TestServer;
beforeAll(async () => {
  closed = await startTestServer();
  server = await startTestServer({
    publicUrl: 'https://fhir.example.org/base',
    allowHosts: ['chart.example.org', 'ported.example.org:8443'],
    allowOrigins: ['https://app.example.org'],
  });
});
afterAll(async () => {
  await server.remove();
  await closed.remove();
});

const app = 'https://app.example.org';

/** Sends headers that fetch reserves. An array sends the header twice. */
function send(
  to: TestServer,
  headers: Record<string, string | string[]>,
  method = 'GET',
  path = '/fhir-r4/v1/Composition',
) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const { hostname, port, host } = new URL(to.origin);
    request({
      hostname,
      port,
      method,
      path,
      headers: { Host: host, Authorization: `Bearer ${to.token}`, ...headers },
    })
      .once('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      })
      .once('error', reject)
      .end();
  });
}

test.each([
  ['the good one first', (good: string) => [good, 'Bearer x']],
  ['the good one last', (good: string) => ['Bearer x', good]],
  ['both the same', (good: string) => [good, good]],
])('two Authorization headers are 401: %s', async (_, two) => {
  expect((await send(server, { Authorization: two(`Bearer ${server.token}`) })).status).toBe(401);
});

describe('names and origins', () => {
  test.each([
    ['a host that is allowed', { Host: 'chart.example.org' }, 200],
    ['the same with a port', { Host: 'Chart.Example.org:9000' }, 200],
    ['a host that is allowed with its port', { Host: 'ported.example.org:8443' }, 200],
    ['the same with another port', { Host: 'ported.example.org' }, 403],
    ['the public name', { Host: 'fhir.example.org', Origin: 'https://fhir.example.org' }, 200],
    ['a foreign name', { Host: 'evil.example' }, 403],
    ['a name that ends alike', { Host: 'evil-chart.example.org' }, 403],
    ['the origin of the name asked', { Host: 'chart.example.org', Origin: 'https://chart.example.org' }, 200],
    [
      'an origin beside the name asked',
      { Host: 'chart.example.org', Origin: 'http://chart.example.org:1' },
      403,
    ],
    ['an origin that is allowed', { Origin: app, 'Sec-Fetch-Site': 'cross-site' }, 200],
    ['the origin null', { Origin: 'null' }, 403],
    ['a foreign origin', { Origin: 'https://evil.example' }, 403],
    ['two origins, one foreign', { Origin: [app, 'https://evil.example'] }, 403],
    ['another site without an origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['the same site', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ])('%s: %j is %i', async (_, headers, status) => {
    expect((await send(server, headers)).status).toBe(status);
  });

  test.each(['', 'Host: a.example\r\nHost: HERE\r\n', 'Host: HERE\r\nHost: HERE\r\n'])(
    'rejects any number of Hosts except one with 400: %j',
    async (hosts) => {
      const { host, port } = new URL(closed.origin);
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET / HTTP/1.1\r\n${hosts.replaceAll('HERE', host)}Connection: close\r\n\r\n`);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('OperationOutcome');
    },
  );

  test('accepts only the own host, origin and site without a setting', async () => {
    const { host, port } = new URL(closed.origin);
    const own = `localhost:${port}`;
    for (const [headers, status] of [
      [{ Host: host }, 200],
      [{ Host: own, Origin: `http://${own}` }, 200],
      [{ Host: 'evil.example' }, 403],
      [{ Host: '127.0.0.1:1' }, 403],
      [{ Host: host, Origin: 'http://evil.example' }, 403],
      [{ Host: host, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ] as const)
      expect([headers, (await send(closed, headers)).status]).toEqual([headers, status]);
  });

  test('uses the public URL in links', async () => {
    const { json } = await server.send('GET', '/fhir-r4/v1/Composition?_count=1');
    expect(json.link[0].url).toBe('https://fhir.example.org/base/fhir-r4/v1/Composition?_count=1');
  });
});

describe('CORS', () => {
  const preflight = { Origin: app, 'Access-Control-Request-Method': 'PATCH', Authorization: '' };

  test('allows configured origins to send and read the headers of the API', async () => {
    const { status, headers } = await send(server, preflight, 'OPTIONS');
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(app);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toBe(
      'Authorization, Content-Type, Accept, If-Match, If-None-Match, If-None-Exist, Prefer, X-Provenance, X-Request-Id',
    );
    const answer = await send(server, { Origin: app });
    expect(answer.status).toBe(200);
    expect(answer.headers.vary).toContain('Origin');
    expect(answer.headers['access-control-expose-headers']).toBe(
      'ETag, Location, Last-Modified, X-Request-Id, Preference-Applied, WWW-Authenticate, Retry-After',
    );
    const rejection = await send(server, { Origin: app, Authorization: 'Bearer wrong' });
    expect([rejection.status, rejection.headers['access-control-allow-origin']]).toEqual([401, app]);
  });

  test('sends no CORS headers by default or to other origins', async () => {
    for (const [to, origin] of [
      [closed, app],
      [server, 'https://evil.example'],
    ] as const) {
      const { status, headers } = await send(to, { ...preflight, Origin: origin }, 'OPTIONS');
      expect(status).toBe(403);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    // The server's own page needs no CORS headers.
    for (const [to, sentHeaders] of [
      [closed, {}],
      [server, { Origin: server.origin }],
    ] as const) {
      const { status, headers } = await send(to, sentHeaders);
      expect(status).toBe(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

test('checks the server of an absolute request target (RFC 9112 section 3.2.2)', async () => {
  const { host, port } = new URL(closed.origin);
  const statusOf = async (origin: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = [`GET ${origin}/fhir-r4/v1/metadata HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return Number((await text(socket)).split(' ')[1]);
  };
  expect(await statusOf('http://evil.example')).toBe(403);
  expect(await statusOf(`http://user@${host}`)).toBe(403);
  expect(await statusOf(`http://${host}`)).toBe(200);
});

test('accepts only a navigation to a landing from a file or another site', async () => {
  const landing = await startTestServer({ landings: ['/'] });
  const navigates = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const statusOf = async (to: TestServer, headers: Record<string, string | string[]>, path: string) =>
    (await send(to, headers, 'GET', path)).status;
  expect(await statusOf(landing, navigates, '/')).not.toBe(403);
  expect(await statusOf(closed, navigates, '/')).toBe(403);
  expect(await statusOf(landing, navigates, '/app/overview')).toBe(403);
  expect(await statusOf(landing, { ...navigates, 'Sec-Fetch-Mode': 'cors' }, '/')).toBe(403);
  expect(await statusOf(landing, { ...navigates, 'Sec-Fetch-Mode': ['cors', 'navigate'] }, '/')).toBe(403);
  expect(await statusOf(landing, { ...navigates, Origin: 'https://x.example' }, '/')).toBe(403);
  expect(await statusOf(landing, { ...navigates, Host: 'x.example' }, '/')).toBe(403);
  await landing.remove();
});
