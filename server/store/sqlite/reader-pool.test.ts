import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReaderPool, type ReaderOptions } from './reader-pool.ts';

/** What the program of the threads is asked for in the place of a question. */
interface Order {
  /** Waits until this is not 0 any more. */
  readonly until?: Int32Array;
  /** Ends so many threads, counted in a shared number. */
  readonly die?: { readonly times: number; readonly counted: Int32Array };
  readonly says?: string;
  /** Is told whether the question was given up. */
  readonly givenUp?: Int32Array;
}

/** Stands in for the program that reads, so that a thread can be slow, and fail. */
const program = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.on('message', (message) => {
    if (message.close) return parentPort.close();
    const { until, die, says, givenUp } = message.asked;
    if (die && Atomics.add(die.counted, 0, 1) < die.times) process.exit(1);
    if (until) Atomics.wait(until, 0, 0);
    if (givenUp) givenUp[0] = workerData.givenUp[0];
    parentPort.postMessage({ result: says });
  });`;

let folder: string;
let pool: ReaderPool;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-readers-'));
  writeFileSync(join(folder, 'program.mjs'), program);
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function poolOf(options: ReaderOptions = {}): void {
  pool = new ReaderPool(join(folder, 'records.db'), {
    ...{ threads: 1, program: join(folder, 'program.mjs') },
    ...options,
  });
}

const ask = (order: Order, signal?: AbortSignal): Promise<unknown> =>
  pool.ask('total', order as never, { signal });

const shared = () => new Int32Array(new SharedArrayBuffer(4));

function release(held: Int32Array): void {
  Atomics.store(held, 0, 1);
  Atomics.notify(held, 0);
}

test('questions of a thread are answered in their order', async () => {
  poolOf();
  expect(await Promise.all(['a', 'b', 'c'].map((says) => ask({ says })))).toEqual(['a', 'b', 'c']);
});

test('a question whose thread ends is answered by the next one; one that ends each thread is refused', async () => {
  poolOf();
  const asked = [
    ask({ says: 'again', die: { times: 1, counted: shared() } }),
    ask({ die: { times: 99, counted: shared() } }),
    ask({ says: 'behind' }),
  ];
  const settled = await Promise.allSettled(asked);
  expect(settled).toMatchObject([
    { status: 'fulfilled', value: 'again' },
    { status: 'rejected', reason: new Error('A thread ended.') },
    { status: 'fulfilled', value: 'behind' },
  ]);
});

test('keeps the process alive until close() has ended a thread that still answers', () => {
  const slow = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message.close) return parentPort.close();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      parentPort.postMessage({ result: 'answer' });
    });`;
  poolOf();
  writeFileSync(join(folder, 'program.mjs'), slow);
  const command = `
    import { ReaderPool } from ${JSON.stringify(new URL('reader-pool.ts', import.meta.url).href)};
    const pool = new ReaderPool('', { threads: 1, program: ${JSON.stringify(join(folder, 'program.mjs'))} });
    await pool.ask('total', {});
    void pool.ask('total', {});
    await pool.close();
    console.log('closed');`;
  writeFileSync(join(folder, 'command.mjs'), command);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'command.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, 'closed\n', '']);
});

test('where too many wait, others are refused at once', async () => {
  poolOf({ waiting: 2 });
  const held = shared();
  const first = ask({ says: 'first', until: held });
  const waiting = [ask({ says: 'second' }), ask({ says: 'third' })];
  expect(() => ask({ says: 'fourth' })).toThrow(
    expect.objectContaining({ kind: 'crowded', headers: { 'Retry-After': '5' } }) as Error,
  );
  release(held);
  expect(await Promise.all([first, ...waiting])).toEqual(['first', 'second', 'third']);
});

test('what its client gives up is not begun; what is under way is told so, and its answer goes nowhere', async () => {
  poolOf();
  const held = shared();
  const [running, waits] = [new AbortController(), new AbortController()];
  const [counted, first, next] = [shared(), shared(), shared()];
  const asked = [
    ask({ givenUp: first, until: held }, running.signal),
    ask({ die: { times: 0, counted } }, waits.signal),
  ];
  running.abort();
  waits.abort();
  for (const one of asked) await expect(one).rejects.toMatchObject({ kind: 'unanswered' });
  release(held);
  expect(await ask({ says: 'next', givenUp: next })).toBe('next');
  expect([first[0], next[0], counted[0]]).toEqual([1, 0, 0]);
});

test('what takes too long is given up, its thread with it, and the next is answered by another', async () => {
  // Long enough for a thread to start on a busy machine.
  poolOf({ patience: 2000 });
  const held = shared();
  await expect(ask({ until: held })).rejects.toMatchObject({
    kind: 'unanswered',
    message: expect.stringContaining('was given up') as string,
  });
  expect(await ask({ says: 'next' })).toBe('next');
  release(held);
});

test('what is asked in a pause waits for its end', async () => {
  poolOf();
  await ask({ says: 'begun' });
  const order: string[] = [];
  const resume = await pool.pause();
  const asked = ask({ says: 'asked' }).then((said) => order.push(String(said)));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  order.push('resumed');
  resume();
  await asked;
  expect(order).toEqual(['resumed', 'asked']);
});

test('behind the end nothing is answered', async () => {
  poolOf();
  const held = shared();
  const [first, second] = [ask({ says: 'first', until: held }), ask({ says: 'second' })];
  const refused = expect(second).rejects.toThrow('The threads end.');
  const closed = pool.close();
  release(held);
  expect(await first).toBe('first');
  await refused;
  await closed;
  expect(() => ask({ says: 'third' })).toThrow('The threads end.');
});
