import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SecretRequest } from '../../core/app/server-messages.ts';
import { messageSecrets } from './message-secrets.ts';

function prepare() {
  const sentRequests: SecretRequest[] = [];
  return {
    sentRequests,
    secrets: messageSecrets('system', (question) => sentRequests.push(question)),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('matches responses to numbered requests in any order', async () => {
  const { sentRequests, secrets } = prepare();
  const firstSecret = secrets.get('a');
  const two = secrets.get('b');
  expect(sentRequests).toEqual([
    { type: 'secret', ask: 1, act: 'get', id: 'a' },
    { type: 'secret', ask: 2, act: 'get', id: 'b' },
  ]);
  secrets.answered({ type: 'secret', ask: 2, done: true });
  secrets.answered({ type: 'secret', ask: 7, done: true, secret: 'nobody asked' });
  secrets.answered({ type: 'secret', ask: 1, done: true, secret: 'one' });
  expect([secrets.backend, await firstSecret, await two]).toEqual(['system', 'one', undefined]);
});

test('reports a failed change of the shell without quoting anything', async () => {
  const { sentRequests, secrets } = prepare();
  const pendingSet = secrets.set('a', 'canary');
  expect(sentRequests).toEqual([{ type: 'secret', ask: 1, act: 'set', id: 'a', secret: 'canary' }]);
  secrets.answered({ type: 'secret', ask: 1, done: false });
  const caughtError: unknown = await pendingSet.catch((error: unknown) => error);
  expect(caughtError).toMatchObject({
    name: 'SecretStoreError',
    message: expect.not.stringContaining('canary'),
  });

  const pendingDelete = secrets.delete('a');
  secrets.answered({ type: 'secret', ask: 2, done: true });
  await expect(pendingDelete).resolves.toBeUndefined();
});

test('returns nothing and stores nothing if the shell does not respond in two minutes', async () => {
  const { secrets } = prepare();
  const [pendingGet, pendingSet] = [secrets.get('a'), secrets.set('a', 'one')];
  const rejection = expect(pendingSet).rejects.toThrow('couldn’t store the secret');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await pendingGet).toBeUndefined();
  await rejection;
});
