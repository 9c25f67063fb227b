import { expect, it, vi } from 'vitest';
import { createOutbox } from './outbox.ts';

const request = (name: string) => ({ kind: 'connection', name }) as const;

it('holds what is to be opened until the page listens, then sends it in its order', () => {
  const send = vi.fn();
  const outbox = createOutbox(send, () => false);
  outbox.put(request('a'));
  outbox.put(request('b'));
  expect(send).not.toHaveBeenCalled();
  outbox.listening();
  outbox.put(request('c'));
  expect(send.mock.calls).toEqual([[request('a')], [request('b')], [request('c')]]);
  outbox.listening();
  expect(send).toHaveBeenCalledTimes(3);
});

it('holds it while the window is locked, and while the page is loaded anew', () => {
  const send = vi.fn();
  let locked = true;
  const outbox = createOutbox(send, () => locked);
  outbox.listening();
  outbox.put(request('a'));
  expect(send).not.toHaveBeenCalled();
  locked = false;
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.left();
  outbox.put(request('b'));
  outbox.flush();
  expect(send).toHaveBeenCalledOnce();
  outbox.listening();
  expect(send).toHaveBeenCalledTimes(2);
});
