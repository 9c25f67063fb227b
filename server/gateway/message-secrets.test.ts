import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SecretQuestion } from '../../core/app/server-messages.ts';
import { messageSecrets } from './message-secrets.ts';

function prepare() {
  const asked: SecretQuestion[] = [];
  return { asked, secrets: messageSecrets('system', (question) => asked.push(question)) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each question has its number, and its own answer whatever the order', async () => {
  const { asked, secrets } = prepare();
  const one = secrets.get('a');
  const two = secrets.get('b');
  expect(asked).toEqual([
    { type: 'secret', ask: 1, act: 'get', id: 'a' },
    { type: 'secret', ask: 2, act: 'get', id: 'b' },
  ]);
  secrets.answered({ type: 'secret', ask: 2, done: true });
  secrets.answered({ type: 'secret', ask: 7, done: true, secret: 'nobody asked' });
  secrets.answered({ type: 'secret', ask: 1, done: true, secret: 'one' });
  expect([secrets.backend, await one, await two]).toEqual(['system', 'one', undefined]);
});

test('a change that the shell could not make is a fault that quotes nothing', async () => {
  const { asked, secrets } = prepare();
  const kept = secrets.set('a', 'canary');
  expect(asked).toEqual([{ type: 'secret', ask: 1, act: 'set', id: 'a', secret: 'canary' }]);
  secrets.answered({ type: 'secret', ask: 1, done: false });
  const fault: unknown = await kept.catch((error: unknown) => error);
  expect(fault).toMatchObject({ name: 'SecretStoreError', message: expect.not.stringContaining('canary') });

  const gone = secrets.delete('a');
  secrets.answered({ type: 'secret', ask: 2, done: true });
  await expect(gone).resolves.toBeUndefined();
});

test('without an answer within two minutes nothing is known, and nothing is kept', async () => {
  const { secrets } = prepare();
  const [read, kept] = [secrets.get('a'), secrets.set('a', 'one')];
  const refused = expect(kept).rejects.toThrow('could not be kept');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await read).toBeUndefined();
  await refused;
});
