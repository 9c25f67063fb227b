import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ReaderPool, type ReaderOptions } from './reader-client.ts';

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

const serveRequestsUrl = new URL('../../threads/serve-requests.ts', import.meta.url).href;

/** Replaces the reader program, so that a thread can be slow or fail. */
const program = `
  import { isRequestAborted, serveRequests } from ${JSON.stringify(serveRequestsUrl)};
  serveRequests({
    query(name, { until, die, reply, abortFlag }) {
      if (die && Atomics.add(die.counter, 0, 1) < die.times) process.exit(1);
      if (until) Atomics.wait(until, 0, 0);
      if (abortFlag) abortFlag[0] = isRequestAborted() ? 1 : 0;
      return reply;
    },
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
    { status: 'rejected', reason: { name: 'ThreadError', reason: 'ended' } },
    { status: 'fulfilled', value: 'behind' },
  ]);
});

test('rejects queries beyond the limit of waiting ones', async () => {
  createPool({ maxWaiting: 2 });
  const flag = shared();
  const firstQuery = ask({ reply: 'first', until: flag });
  const waitingQueries = [ask({ reply: 'second' }), ask({ reply: 'third' })];
  await expect(ask({ reply: 'fourth' })).rejects.toMatchObject({
    kind: 'crowded',
    headers: { 'Retry-After': '5' },
  });
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

test('replaces the thread of a query that takes too long, and answers the waiting queries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  createPool({ timeoutMs: 2000 });
  const lateReason = expect(ask({ until: shared() })).rejects.toMatchObject({
    kind: 'unanswered',
    problems: [expect.objectContaining({ messageCode: 'search.tooLong', parameters: { n: 2 } })],
  });
  vi.advanceTimersByTime(1999);
  const waitingQuery = ask({ reply: 'waiting' });
  vi.advanceTimersByTime(1);
  await lateReason;
  expect(await waitingQuery).toBe('waiting');
});

test('rejects queries after close()', async () => {
  createPool();
  const flag = shared();
  const [firstQuery, secondQuery] = [ask({ reply: 'first', until: flag }), ask({ reply: 'second' })];
  const rejection = expect(secondQuery).rejects.toMatchObject({ reason: 'closed' });
  const closing = pool.close();
  release(flag);
  expect(await firstQuery).toBe('first');
  await rejection;
  await closing;
  await expect(ask({ reply: 'third' })).rejects.toMatchObject({ reason: 'closed' });
});
