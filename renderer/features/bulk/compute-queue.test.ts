import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ComputeMessage, ComputeRequest } from './compute.worker.ts';
import { ComputeQueue, type ComputeWorker } from './compute-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Workers that load in `loading` milliseconds, answer a parse in one, and never answer `hang`. */
function workers(loading: number) {
  let started = 0;
  const ended: number[] = [];
  const start = (): ComputeWorker => {
    started += 1;
    const number = started;
    const target = new EventTarget();
    const say = (data: ComputeMessage) => target.dispatchEvent(Object.assign(new Event('message'), { data }));
    setTimeout(() => say({ kind: 'ready' }), loading);
    return {
      addEventListener: target.addEventListener.bind(target),
      postMessage: ({ expression }: ComputeRequest) => {
        if (expression === 'break') setTimeout(() => target.dispatchEvent(new Event('error')), 1);
        else if (expression !== 'hang')
          setTimeout(() => say({ kind: 'parsed', fault: `${expression} ${number}` }), 1);
      },
      terminate: () => void ended.push(number),
    };
  };
  return { start, ended };
}

const parse = (expression: string): ComputeRequest => ({ kind: 'parse', expression });

test('one that takes too long is late and loses its worker; the others go on in the next', async () => {
  const { start, ended } = workers(50);
  const queue = new ComputeQueue(start, 100);
  const answers = Promise.all(['a', 'hang', 'b'].map((one) => queue.ask(parse(one))));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answers).toEqual([{ kind: 'parsed', fault: 'a 1' }, 'late', { kind: 'parsed', fault: 'b 2' }]);
  expect(ended).toEqual([1]);
});

test('the time that a worker takes to load is not counted', async () => {
  const { start, ended } = workers(5000);
  const answer = new ComputeQueue(start, 100).ask(parse('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toEqual({ kind: 'parsed', fault: 'a 1' });
  expect(ended).toEqual([]);
});

test('a worker that breaks leaves nobody waiting, and the next question starts another', async () => {
  const { start } = workers(10);
  const queue = new ComputeQueue(start, 100);
  const broken = Promise.allSettled(['break', 'a'].map((one) => queue.ask(parse(one))));
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await broken).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = queue.ask(parse('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await next).toEqual({ kind: 'parsed', fault: 'a 2' });
});
