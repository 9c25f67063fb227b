import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tlsContext } from './tls-context.ts';
import { createHttpTransport, type HttpTransport } from './http-transport.ts';

/** Starts a proxy that calls `respond` after a CONNECT request. */
async function startStub(respond: (socket: Socket, request: Buffer) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (request) => respond(socket, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { proxy: `http://ward:canary@127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
}

/** A wire that goes through a proxy. */
function wireThrough(proxy: string): HttpTransport {
  const context = tlsContext({});
  const wire = createHttpTransport({
    context,
    proxyOf: () => Promise.resolve(proxy),
    proxyContext: () => context,
  });
  onTestFinished(() => wire.close());
  return wire;
}

const request = (signal: AbortSignal) => ({
  url: new URL('https://fhir.example.org/r4/metadata'),
  method: 'GET',
  headers: {},
  limit: 1024,
  signal,
});

test.each([
  ['does not answer', () => undefined],
  ['opens a tunnel in which nobody speaks', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ['never ends its head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nA: ')],
])(
  'waits until the time limit for a proxy that %s, then closes the connection',
  async (_description, respond) => {
    const tunnelRequested = Promise.withResolvers<Socket>();
    const { proxy, host } = await startStub((socket) => {
      respond(socket);
      tunnelRequested.resolve(socket);
    });
    const limit = new AbortController();
    const response = wireThrough(proxy).send(request(limit.signal));
    const socket = await tunnelRequested.promise;
    limit.abort(new DOMException('', 'TimeoutError'));
    await expect(response).rejects.toMatchObject({
      kind: 'unanswered',
      step: 'proxy',
      sent: false,
      message: `The proxy ${host} didn’t connect to fhir.example.org within the timeout.`,
    });
    await expect.poll(() => socket.destroyed).toBe(true);
  },
);

test('ends the wait at once if the limit has already passed', async () => {
  const { proxy } = await startStub(() => undefined);
  const response = wireThrough(proxy).send(request(AbortSignal.abort(new DOMException('', 'TimeoutError'))));
  await expect(response).rejects.toMatchObject({ kind: 'unanswered', step: 'proxy' });
});

test.each([
  ['closes', (socket: Socket) => socket.end(), 'closed the connection before reaching'],
  ['resets', (socket: Socket) => socket.resetAndDestroy(), 'closed the connection before reaching'],
  ['ends in its head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nA: b'), 'closed the connection'],
  [
    'speaks another protocol',
    (socket: Socket) => socket.end('SSH-2.0-x\r\n\r\n'),
    'something that is not HTTP',
  ],
  [
    'answers without end',
    (socket: Socket) => {
      const sendMore = () => {
        while (socket.writable && socket.write(`A: ${'b'.repeat(1000)}\r\n`));
      };
      socket.on('drain', sendMore).write('HTTP/1.1 200 OK\r\n');
      sendMore();
    },
    'headers of more than 16 kB',
  ],
] as const)('reports a proxy that %s as the failed step', async (_description, respond, sentence) => {
  const tunnelRequested = Promise.withResolvers<Socket>();
  const { proxy, host } = await startStub((socket) => {
    respond(socket);
    tunnelRequested.resolve(socket);
  });
  await expect(wireThrough(proxy).send(request(new AbortController().signal))).rejects.toMatchObject({
    kind: 'unreachable',
    step: 'proxy',
    sent: false,
    message: expect.stringMatching(new RegExp(`The proxy ${host} .*${sentence}`)) as string,
  });
  const socket = await tunnelRequested.promise;
  await expect.poll(() => socket.destroyed).toBe(true);
  // A few buffers are in transit, and no more.
  expect(socket.bytesWritten).toBeLessThan(8_000_000);
});

test('tells a proxy only the host, user and password', async () => {
  const heads: string[] = [];
  const { proxy } = await startStub((socket, request) => {
    heads.push(request.toString());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const headers = { Authorization: 'Bearer canary-token' };
  const response = wireThrough(proxy).send({ ...request(new AbortController().signal), headers });
  await expect(response).rejects.toMatchObject({ step: 'proxy' });
  const password = Buffer.from('ward:canary').toString('base64');
  expect(heads.map((head) => head.split('\r\n'))).toEqual([
    [
      'CONNECT fhir.example.org:443 HTTP/1.1',
      'Host: fhir.example.org:443',
      'Connection: keep-alive',
      'Proxy-Connection: keep-alive',
      `Proxy-Authorization: Basic ${password}`,
      '',
      '',
    ],
  ]);
});
