import { expect, test } from 'vitest';
import { PacedSync, piece, slice } from './backup.ts';

/** Requests pages until none may be written. Returns their number. */
function requestUntilPause(paced: PacedSync): number {
  let pages = 0;
  for (let nextPages = paced.next(); nextPages > 0; nextPages = paced.next()) pages += nextPages;
  return pages;
}

test('allows no write while a sync is in progress', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let syncs = 0;
  const paced = new PacedSync(() => {
    syncs += 1;
    return promise.then(() => undefined);
  });
  const pages = requestUntilPause(paced);
  expect(pages).toBeGreaterThanOrEqual(piece);
  expect(pages).toBeLessThan(piece + slice);
  expect([paced.next(), paced.next(), syncs]).toEqual([0, 0, 1]);
  resolve(undefined);
  await paced.finish();
  expect(requestUntilPause(paced)).toBe(pages);
  expect(syncs).toBe(2);
});

test('stops writing after a failed sync', async () => {
  const paced = new PacedSync(() => Promise.reject(new Error('EIO')));
  requestUntilPause(paced);
  await expect(paced.finish()).rejects.toThrow('EIO');
  expect(() => paced.next()).toThrow('EIO');
});
