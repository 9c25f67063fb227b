import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Milliseconds that a slice keeps the thread busy. */
const busy = 40;

/** The rests between the slices of two works, where a request came so long before. */
async function restsOf(milliseconds: number): Promise<number[]> {
  const rests: number[] = [];
  let now = 0;
  const pace = createPace(
    () => now,
    (rest) => {
      now += rest;
      return Promise.resolve(rests.push(rest));
    },
  );
  pace.asked();
  now = milliseconds;
  const work = () => {
    const started = performance.now();
    while (performance.now() - started < busy);
    return Promise.resolve();
  };
  await pace.slice(work);
  await pace.slice(work);
  return rests;
}

test('while requests come, a slice of whatever work waits longer than the one before kept the thread busy', async () => {
  const rests = await restsOf(10);
  expect(rests).toHaveLength(1);
  expect(rests[0]).toBeGreaterThan(busy);
});

test('where nobody asks, nothing rests', async () => {
  expect(await restsOf(60_000)).toEqual([]);
});

test('where a slice is another program’s work, the time that it waits for that counts, too', async () => {
  const rests: number[] = [];
  let now = 0;
  const pace = createPace(
    () => now,
    (rest) => {
      now += rest;
      return Promise.resolve(rests.push(rest));
    },
    true,
  );
  const answered = Promise.withResolvers<undefined>();
  pace.asked();
  const first = pace.slice(() => answered.promise);
  setTimeout(() => answered.resolve(undefined), busy);
  await first;
  await pace.slice(() => Promise.resolve());
  expect(rests[0]).toBeGreaterThan(busy);
});
