import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenWith } from './testing/api-request.ts';

/** More than sockets buffer. */
const piece = Buffer.alloc(4_000_000, 'a');
const pieces = 20;

let server: Server;
let listening: Promise<number>;
beforeEach(async () => {
  listening = new Promise((resolve) => {
    let countListeners = () => 0;
    function* generatePieces(): Generator<Buffer> {
      const before = countListeners();
      try {
        for (let index = 0; index < pieces; index += 1) yield piece;
      } finally {
        resolve(countListeners() - before);
      }
    }
    const listener = listenWith(() => ({ status: 200, body: { pieces: generatePieces() } }));
    server = createServer((incoming, outgoing) => {
      countListeners = () => outgoing.listenerCount('drain');
      listener(incoming, outgoing);
    }).listen(0, '127.0.0.1');
  });
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function openResponse(): Promise<IncomingMessage> {
  const sentRequest = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }).end();
  const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage];
  return answer;
}

test('sends many chunks completely and leaves no listener', async () => {
  let bytes = 0;
  for await (const chunk of await openResponse()) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(piece.length * pieces);
  expect(await listening).toBe(0);
});

test('does not wait for a disconnected client', async () => {
  const answer = await openResponse();
  answer.destroy();
  expect(await listening).toBe(0);
});
