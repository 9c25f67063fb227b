import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen, stop } from '../listener.ts';
import { createSharedHandler } from './request-handler.ts';

test('rejects a withdrawn change and serves a read', async () => {
  let takenBack = 0;
  const server = createServer(
    createSharedHandler({
      app(_request, response) {
        takenBack += 1;
        setImmediate(() => response.writeHead(200).end('kept'));
      },
      tokens: () => undefined,
      mirror: { look: () => Promise.resolve(), settle: () => undefined, takenBack: () => takenBack },
      ready: () => Promise.resolve(),
    }),
  );
  const origin = await listen(server, { address: '127.0.0.1', port: 0 }, 'http');
  onTestFinished(() => stop(server));
  const ask = async (method: string) => {
    const answer = await fetch(`${origin}/app/searches`, { method });
    return [answer.status, answer.headers.get('retry-after'), await answer.text()];
  };
  expect(await ask('PUT')).toEqual([503, '1', expect.stringContaining('Nothing was changed')]);
  expect(await ask('GET')).toEqual([200, null, 'kept']);
});
