import { expect, test } from 'vitest';
import { createWorkScheduler } from './background.ts';

/** Milliseconds that a batch occupies the thread. */
const busy = 40;

/** Returns the pauses between the batches of two jobs after a request so many milliseconds ago. */
async function restsOf(milliseconds: number): Promise<number[]> {
  const rests: number[] = [];
  let now = 0;
  const pace = createWorkScheduler(
    () => now,
    (pauseMs) => {
      now += pauseMs;
      return Promise.resolve(rests.push(pauseMs));
    },
  );
  pace.asked();
  now = milliseconds;
  const work = () => {
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < busy);
    return Promise.resolve();
  };
  await pace.slice(work);
  await pace.slice(work);
  return rests;
}

test('pauses longer than the previous batch of any job while requests arrive', async () => {
  const rests = await restsOf(10);
  expect(rests).toHaveLength(1);
  expect(rests[0]).toBeGreaterThan(busy);
});

test('adds no delay while no requests arrive', async () => {
  expect(await restsOf(60_000)).toEqual([]);
});

test('counts the waiting time of a batch that another process runs', async () => {
  const rests: number[] = [];
  let now = 0;
  const pace = createWorkScheduler(
    () => now,
    (pauseMs) => {
      now += pauseMs;
      return Promise.resolve(rests.push(pauseMs));
    },
    true,
  );
  const finished = Promise.withResolvers<undefined>();
  pace.asked();
  const firstBatch = pace.slice(() => finished.promise);
  setTimeout(() => finished.resolve(undefined), busy);
  await firstBatch;
  await pace.slice(() => Promise.resolve());
  expect(rests[0]).toBeGreaterThan(busy);
});
