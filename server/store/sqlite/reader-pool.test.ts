import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ReaderPool, type ReaderOptions } from './reader-pool.ts';

/** Instructions to the thread, in place of a query. */
interface Order {
  /** Waits while this is 0. */
  readonly until?: Int32Array;
  /** Ends a number of threads, counted in a shared array. */
  readonly die?: { readonly times: number; readonly counter: Int32Array };
  readonly reply?: string;
  /** Receives the abort flag. */
  readonly abortFlag?: Int32Array;
}

/** Replaces the reader program, so that a thread can be slow or fail. */
const program = `
  import { parentPort, workerData } from 'node:worker_threads';
  parentPort.on('message', (message) => {
    if (message.close) return parentPort.close();
    const { until, die, reply, abortFlag } = message.queryArguments;
    if (die && Atomics.add(die.counter, 0, 1) < die.times) process.exit(1);
    if (until) Atomics.wait(until, 0, 0);
    if (abortFlag) abortFlag[0] = workerData.abortFlag[0];
    parentPort.postMessage({ result: reply });
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

function createPool(options: ReaderOptions = {}): void {
  pool = new ReaderPool(join(folder, 'records.db'), {
    threads: 1,
    program: join(folder, 'program.mjs'),
    ...options,
  });
}

const ask = (order: Order, signal?: AbortSignal): Promise<unknown> =>
  pool.ask('total', order as never, { signal });

const shared = () => new Int32Array(new SharedArrayBuffer(4));

function release(flag: Int32Array): void {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

test('answers queries of a thread in order', async () => {
  createPool();
  expect(await Promise.all(['a', 'b', 'c'].map((reply) => ask({ reply })))).toEqual(['a', 'b', 'c']);
});

test('retries a query after its thread ended, and rejects a query that ends each thread', async () => {
  createPool();
  const pendingQueries = [
    ask({ reply: 'again', die: { times: 1, counter: shared() } }),
    ask({ die: { times: 99, counter: shared() } }),
    ask({ reply: 'behind' }),
  ];
  const results = await Promise.allSettled(pendingQueries);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 'again' },
    { status: 'rejected', reason: new Error('A thread ended.') },
    { status: 'fulfilled', value: 'behind' },
  ]);
});

test('keeps the process alive until close() has ended a busy thread', () => {
  const slow = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message.close) return parentPort.close();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      parentPort.postMessage({ result: 'answer' });
    });`;
  createPool();
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

test('rejects queries beyond the limit of waiting ones', async () => {
  createPool({ maxWaiting: 2 });
  const flag = shared();
  const firstQuery = ask({ reply: 'first', until: flag });
  const waitingQueries = [ask({ reply: 'second' }), ask({ reply: 'third' })];
  expect(() => ask({ reply: 'fourth' })).toThrow(
    expect.objectContaining({ kind: 'crowded', headers: { 'Retry-After': '5' } }) as Error,
  );
  release(flag);
  expect(await Promise.all([firstQuery, ...waitingQueries])).toEqual(['first', 'second', 'third']);
});

test('drops an aborted waiting query, signals an aborted running one and discards its result', async () => {
  createPool();
  const flag = shared();
  const [running, waits] = [new AbortController(), new AbortController()];
  const [counter, firstFlag, nextFlag] = [shared(), shared(), shared()];
  const queries = [
    ask({ abortFlag: firstFlag, until: flag }, running.signal),
    ask({ die: { times: 0, counter } }, waits.signal),
  ];
  running.abort();
  waits.abort();
  for (const query of queries) await expect(query).rejects.toMatchObject({ kind: 'unanswered' });
  release(flag);
  expect(await ask({ reply: 'next', abortFlag: nextFlag })).toBe('next');
  expect([firstFlag[0], nextFlag[0], counter[0]]).toEqual([1, 0, 0]);
});

test('replaces the thread of a query that takes too long', async () => {
  // Long enough for a thread to start on a busy machine.
  createPool({ timeoutMs: 2000 });
  const flag = shared();
  await expect(ask({ until: flag })).rejects.toMatchObject({
    kind: 'unanswered',
    problems: [expect.objectContaining({ messageCode: 'search.tooLong' })],
  });
  expect(await ask({ reply: 'next' })).toBe('next');
  release(flag);
});

test('answers the queries behind one that takes too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  createPool({ timeoutMs: 2000 });
  const slowQuery = expect(ask({ until: shared() })).rejects.toMatchObject({ kind: 'unanswered' });
  vi.advanceTimersByTime(1999);
  const waitingQuery = ask({ reply: 'second' });
  vi.advanceTimersByTime(1);
  await slowQuery;
  expect(await waitingQuery).toBe('second');
});

test('delays queries during a pause', async () => {
  createPool();
  await ask({ reply: 'begun' });
  const order: string[] = [];
  const resume = await pool.pause();
  const pendingQuery = ask({ reply: 'asked' }).then((reply) => order.push(String(reply)));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  order.push('resumed');
  resume();
  await pendingQuery;
  expect(order).toEqual(['resumed', 'asked']);
});

test('rejects queries after close()', async () => {
  createPool();
  const flag = shared();
  const [firstQuery, secondQuery] = [ask({ reply: 'first', until: flag }), ask({ reply: 'second' })];
  const rejection = expect(secondQuery).rejects.toThrow('The threads end.');
  const closing = pool.close();
  release(flag);
  expect(await firstQuery).toBe('first');
  await rejection;
  await closing;
  expect(() => ask({ reply: 'third' })).toThrow('The threads end.');
});
