import { expect, it, vi } from 'vitest';
import { createPendingOpens } from './pending-opens.ts';

const request = (name: string) => ({ kind: 'connection', name }) as const;

it('holds requests until the page listens, then sends them in order', () => {
  const send = vi.fn();
  const outbox = createPendingOpens(send, () => false);
  outbox.put(request('a'));
  outbox.put(request('b'));
  expect(send).not.toHaveBeenCalled();
  outbox.listening();
  outbox.put(request('c'));
  expect(send.mock.calls).toEqual([[request('a')], [request('b')], [request('c')]]);
  outbox.listening();
  expect(send).toHaveBeenCalledTimes(3);
});

it('holds requests while the window is locked or the page reloads', () => {
  const send = vi.fn();
  let locked = true;
  const outbox = createPendingOpens(send, () => locked);
  outbox.listening();
  outbox.put(request('a'));
  expect(send).not.toHaveBeenCalled();
  locked = false;
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.onPageLeft();
  outbox.put(request('b'));
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.listening();
  expect(send).toHaveBeenCalledTimes(2);
});
