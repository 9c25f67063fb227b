import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tlsContext } from './tls-context.ts';
import { createWire, type Wire } from './wire.ts';

/** A proxy that does `answer` once it was asked for a tunnel. */
async function startStub(answer: (socket: Socket, asked: Buffer) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (asked) => answer(socket, asked));
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
function wireThrough(proxy: string): Wire {
  const context = tlsContext({});
  const wire = createWire({ context, proxyOf: () => Promise.resolve(proxy), proxyContext: () => context });
  onTestFinished(() => wire.close());
  return wire;
}

const request = (signal: AbortSignal) => ({
  ...{ url: new URL('https://fhir.example.org/r4/metadata'), method: 'GET', headers: {}, limit: 1024 },
  signal,
});

test.each([
  ['does not answer', () => undefined],
  ['opens a tunnel in which nobody speaks', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ['never ends its head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nA: ')],
])('a proxy that %s is waited for until the time limit, and let go', async (_what, answer) => {
  const asked = Promise.withResolvers<Socket>();
  const { proxy, host } = await startStub((socket) => {
    answer(socket);
    asked.resolve(socket);
  });
  const limit = new AbortController();
  const sent = wireThrough(proxy).send(request(limit.signal));
  const socket = await asked.promise;
  limit.abort(new DOMException('', 'TimeoutError'));
  await expect(sent).rejects.toMatchObject({
    ...{ kind: 'unanswered', step: 'proxy', sent: false },
    message: `The proxy ${host} opened no way to fhir.example.org within the time limit of the connection.`,
  });
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('a limit that has passed already ends the wait as well', async () => {
  const { proxy } = await startStub(() => undefined);
  const sent = wireThrough(proxy).send(request(AbortSignal.abort(new DOMException('', 'TimeoutError'))));
  await expect(sent).rejects.toMatchObject({ kind: 'unanswered', step: 'proxy' });
});

test.each([
  ['closes', (socket: Socket) => socket.end(), 'closed the connection before it opened a way'],
  ['resets', (socket: Socket) => socket.resetAndDestroy(), 'closed the connection before it opened a way'],
  ['ends in its head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nA: b'), 'closed the connection'],
  [
    'speaks another protocol',
    (socket: Socket) => socket.end('SSH-2.0-x\r\n\r\n'),
    'something that is not HTTP',
  ],
  [
    'answers without end',
    (socket: Socket) => {
      const more = () => {
        while (socket.writable && socket.write(`A: ${'b'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more).write('HTTP/1.1 200 OK\r\n');
      more();
    },
    'a head of more than 16 kB',
  ],
] as const)(
  'a proxy that %s when it is asked for a tunnel is what failed',
  async (_what, answer, sentence) => {
    const asked = Promise.withResolvers<Socket>();
    const { proxy, host } = await startStub((socket) => {
      answer(socket);
      asked.resolve(socket);
    });
    await expect(wireThrough(proxy).send(request(new AbortController().signal))).rejects.toMatchObject({
      ...{ kind: 'unreachable', step: 'proxy', sent: false },
      message: expect.stringMatching(new RegExp(`The proxy ${host} .*${sentence}`)) as string,
    });
    const socket = await asked.promise;
    await expect.poll(() => socket.destroyed).toBe(true);
    // A few buffers on the way, and no more.
    expect(socket.bytesWritten).toBeLessThan(8_000_000);
  },
);

test('a proxy is told whom to reach, user and password, and nothing of the request', async () => {
  const heads: string[] = [];
  const { proxy } = await startStub((socket, asked) => {
    heads.push(asked.toString());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const headers = { Authorization: 'Bearer canary-token' };
  const sent = wireThrough(proxy).send({ ...request(new AbortController().signal), headers });
  await expect(sent).rejects.toMatchObject({ step: 'proxy' });
  const password = Buffer.from('ward:canary').toString('base64');
  expect(heads.map((head) => head.split('\r\n'))).toEqual([
    [
      ...['CONNECT fhir.example.org:443 HTTP/1.1', 'Host: fhir.example.org:443', 'Connection: keep-alive'],
      ...['Proxy-Connection: keep-alive', `Proxy-Authorization: Basic ${password}`, '', ''],
    ],
  ]);
});
