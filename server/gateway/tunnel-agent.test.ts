import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { tlsContext } from './tls-context.ts';
import { createWire } from './wire.ts';

/** A proxy that does `answer` once it was asked for a tunnel. */
async function startStub(answer: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
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
  const wire = createWire({ context: tlsContext({}), proxyOf: () => Promise.resolve(proxy) });
  onTestFinished(() => wire.close());
  const limit = new AbortController();
  const sent = wire.send({
    ...{ url: new URL('https://fhir.example.org/r4/metadata'), method: 'GET', headers: {}, limit: 1024 },
    signal: limit.signal,
  });
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
  const wire = createWire({ context: tlsContext({}), proxyOf: () => Promise.resolve(proxy) });
  onTestFinished(() => wire.close());
  const sent = wire.send({
    ...{ url: new URL('https://fhir.example.org/r4/metadata'), method: 'GET', headers: {}, limit: 1024 },
    signal: AbortSignal.abort(new DOMException('', 'TimeoutError')),
  });
  await expect(sent).rejects.toMatchObject({ kind: 'unanswered', step: 'proxy' });
});
