import express from 'express';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeOut } from './write-out.ts';

/** More than sockets take at once. */
const piece = Buffer.alloc(4_000_000, 'a');
const pieces = 20;

let server: Server;
let listening: Promise<number>;
beforeEach(async () => {
  listening = new Promise((resolve) => {
    const app = express().get('/', async (_request, response) => {
      const before = response.listenerCount('close');
      for (let written = 0; written < pieces; written += 1) await writeOut(response, piece);
      resolve(response.listenerCount('close') - before);
      response.end();
    });
    server = createServer(app).listen(0, '127.0.0.1');
  });
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return answer;
}

test('an answer in many pieces comes whole, and nothing is left listening behind a piece', async () => {
  let bytes = 0;
  for await (const chunk of await ask()) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(piece.length * pieces);
  expect(await listening).toBe(0);
});

test('a client that goes away is not waited for', async () => {
  const answer = await ask();
  answer.destroy();
  expect(await listening).toBe(0);
});
