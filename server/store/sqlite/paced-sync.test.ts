import { expect, test } from 'vitest';
import { PacedSync, piece, slice } from './paced-sync.ts';

/** Asks for pages until none may be written; answers how many there were. */
function untilStop(paced: PacedSync): number {
  let pages = 0;
  for (let next = paced.next(); next > 0; next = paced.next()) pages += next;
  return pages;
}

test('while the disk has what was written, nothing more is written', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let syncs = 0;
  const paced = new PacedSync(() => {
    syncs += 1;
    return promise.then(() => undefined);
  });
  const pages = untilStop(paced);
  expect(pages).toBeGreaterThanOrEqual(piece);
  expect(pages).toBeLessThan(piece + slice);
  expect([paced.next(), paced.next(), syncs]).toEqual([0, 0, 1]);
  resolve(undefined);
  await paced.ended();
  expect(untilStop(paced)).toBe(pages);
  expect(syncs).toBe(2);
});

test('a sync that fails ends the writing', async () => {
  const paced = new PacedSync(() => Promise.reject(new Error('EIO')));
  untilStop(paced);
  await expect(paced.ended()).rejects.toThrow('EIO');
  expect(() => paced.next()).toThrow('EIO');
});
