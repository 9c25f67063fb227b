import { expect, test, vi } from 'vitest';
import { createWish } from './wish.ts';

test('a wish is granted at once where somebody offers to, else by the next who does, and once', () => {
  const wish = createWish();
  wish.make();
  wish.make();
  const late = vi.fn();
  const stop = wish.offer(late);
  expect(late).toHaveBeenCalledOnce();
  wish.make();
  expect(late).toHaveBeenCalledTimes(2);
  stop();
  wish.make();
  expect(late).toHaveBeenCalledTimes(2);
  const next = vi.fn();
  wish.offer(next);
  expect(next).toHaveBeenCalledOnce();
});
