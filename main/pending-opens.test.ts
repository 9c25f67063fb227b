import { expect, it, vi } from 'vitest';
import { createPendingOpens } from './pending-opens.ts';

const request = (name: string) => ({ kind: 'connection', name }) as const;

it('holds requests until the page listens, then sends them in order', () => {
  const send = vi.fn();
  const outbox = createPendingOpens(send, () => false);
  outbox.addRequest(request('a'));
  outbox.addRequest(request('b'));
  expect(send).not.toHaveBeenCalled();
  outbox.onPageListening();
  outbox.addRequest(request('c'));
  expect(send.mock.calls).toEqual([[request('a')], [request('b')], [request('c')]]);
  outbox.onPageListening();
  expect(send).toHaveBeenCalledTimes(3);
});

it('holds requests while the window is locked or the page reloads', () => {
  const send = vi.fn();
  let locked = true;
  const outbox = createPendingOpens(send, () => locked);
  outbox.onPageListening();
  outbox.addRequest(request('a'));
  expect(send).not.toHaveBeenCalled();
  locked = false;
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.onPageLeft();
  outbox.addRequest(request('b'));
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.onPageListening();
  expect(send).toHaveBeenCalledTimes(2);
});
