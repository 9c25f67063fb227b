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
        setImmediate(() => response.writeHead(200, { 'X-Request-Id': 'r-1' }).end('kept'));
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
    const { status, headers } = answer;
    const names = ['retry-after', 'x-request-id', 'x-content-type-options'];
    return [status, ...names.map((name) => headers.get(name)), await answer.text()];
  };
  expect(await ask('PUT')).toEqual([
    503,
    '1',
    'r-1',
    'nosniff',
    expect.stringContaining('Nothing was changed'),
  ]);
  expect(await ask('GET')).toEqual([200, null, 'r-1', null, 'kept']);
});
