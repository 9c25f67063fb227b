import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ComputeMessage, ComputeRequest } from './compute.worker.ts';
import { ComputeQueue, type ComputeWorker } from './compute-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Workers that load in `loading` milliseconds, answer in 1 ms, and never answer `hang`. */
function workers(loading: number) {
  let startedCount = 0;
  const endedWorkers: number[] = [];
  const start = (): ComputeWorker => {
    startedCount += 1;
    const number = startedCount;
    const target = new EventTarget();
    const postMessage = (data: ComputeMessage) =>
      target.dispatchEvent(Object.assign(new Event('message'), { data }));
    setTimeout(() => postMessage({ kind: 'ready' }), loading);
    return {
      addEventListener: target.addEventListener.bind(target),
      postMessage: ({ expression }: ComputeRequest) => {
        if (expression === 'break') setTimeout(() => target.dispatchEvent(new Event('error')), 1);
        else if (expression !== 'hang')
          setTimeout(() => postMessage({ kind: 'parsed', fault: `${expression} ${number}` }), 1);
      },
      terminate: () => void endedWorkers.push(number),
    };
  };
  return { start, endedWorkers };
}

const parse = (expression: string): ComputeRequest => ({ kind: 'parse', expression });

test('returns late for a slow request and continues in a new worker', async () => {
  const { start, endedWorkers } = workers(50);
  const queue = new ComputeQueue(start, 100);
  const answers = Promise.all(['a', 'hang', 'b'].map((expression) => queue.compute(parse(expression))));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answers).toEqual([{ kind: 'parsed', fault: 'a 1' }, 'late', { kind: 'parsed', fault: 'b 2' }]);
  expect(endedWorkers).toEqual([1]);
});

test('excludes the loading time of a worker from the limit', async () => {
  const { start, endedWorkers } = workers(5000);
  const answer = new ComputeQueue(start, 100).compute(parse('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toEqual({ kind: 'parsed', fault: 'a 1' });
  expect(endedWorkers).toEqual([]);
});

test('rejects all requests of a broken worker and starts another for the next', async () => {
  const { start } = workers(10);
  const queue = new ComputeQueue(start, 100);
  const results = Promise.allSettled(['break', 'a'].map((expression) => queue.compute(parse(expression))));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = queue.compute(parse('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await next).toEqual({ kind: 'parsed', fault: 'a 2' });
});
