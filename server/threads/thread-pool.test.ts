import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FhirError } from '../../core/fhir/outcome.ts';
import { TestError } from './testing/test-error.ts';
import type { TestHandlers } from './testing/test-thread.ts';
import { threadFile, ThreadError, ThreadPool, type ThreadPoolOptions } from './thread-pool.ts';

const file = threadFile(import.meta, 'testing/test-thread');

function createPool(options: ThreadPoolOptions = {}): ThreadPool<TestHandlers> {
  const pool = new ThreadPool<TestHandlers>(file, options);
  onTestFinished(() => pool.terminate());
  return pool;
}

/** Returns the list of workers that start during the test. */
function listStartedWorkers(): readonly Worker[] {
  const startedWorkers: Worker[] = [];
  const onWorker = (worker: Worker) => void startedWorkers.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  return startedWorkers;
}

async function waitForExit(worker: Worker | undefined): Promise<void> {
  if (worker && worker.threadId >= 0) await once(worker, 'exit');
}

const createFlag = () => new Int32Array(new SharedArrayBuffer(4));

function release(flag: Int32Array): void {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

const unsendable = () => undefined;

test('answers in the order in which the thread finishes', async () => {
  const pool = createPool({ requestsPerThread: Infinity });
  const flag = createFlag();
  const order: unknown[] = [];
  const requests = [pool.ask('wait', [flag]), pool.ask('echo', ['second']), pool.ask('echo', ['third'])];
  const notes = requests.map(async (request) => order.push(await request));
  await Promise.all(notes.slice(1));
  release(flag);
  await notes[0];
  expect(order).toEqual(['second', 'third', 'waited']);
});

test('sends the requests of one turn in one message, and their replies too', async () => {
  const workers = listStartedWorkers();
  const pool = createPool({ requestsPerThread: Infinity });
  await pool.ask('echo', [0]);
  let messageCount = 0;
  workers[0]?.on('message', () => (messageCount += 1));
  const values = [1, 2, 3, 4, 5, 6, 7, 8];
  expect(await Promise.all(values.map((value) => pool.ask('echo', [value])))).toEqual(values);
  expect(messageCount).toBe(1);
});

test('gives its data to each thread', async () => {
  expect(await createPool({ data: { path: 'a' } }).ask('data', [])).toEqual({ path: 'a' });
});

test('computes parameters when the request is sent', async () => {
  const pool = createPool();
  const flag = createFlag();
  let value = 'asked';
  const requests = [pool.ask('block', [flag]), pool.ask('echo', () => [value])];
  value = 'sent';
  release(flag);
  expect(await Promise.all(requests)).toEqual([false, 'sent']);
});

test('rejects with the error of the handler, as an instance of a known class', async () => {
  const pool = createPool({ errorClasses: { TestError } });
  for (const name of ['throwError', 'reject'] as const) {
    const error: unknown = await pool.ask(name, ['value']).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TestError);
    expect(error).toMatchObject({ message: 'thrown', member: 'value', stack: expect.stringContaining(name) });
  }
  const fhirError: unknown = await pool.ask('throwFhirError', []).catch((reason: unknown) => reason);
  expect(fhirError).toBeInstanceOf(FhirError);
  expect(fhirError).toMatchObject({ kind: 'stale', status: 412, headers: { ETag: 'W/"2"' } });
  await expect(createPool().ask('throwError', ['value'])).rejects.toMatchObject({
    name: 'TestError',
    member: 'value',
  });
});

test('rejects only the request of a message whose parameter can’t be sent', async () => {
  const pool = createPool({ requestsPerThread: Infinity });
  const values = ['first', unsendable, 'last'];
  expect(await Promise.allSettled(values.map((value) => pool.ask('echo', [value])))).toMatchObject([
    { value: 'first' },
    { reason: { name: 'DataCloneError' } },
    { value: 'last' },
  ]);
});

test('rejects only the request of a message whose result or error can’t be sent', async () => {
  const pool = createPool({ requestsPerThread: Infinity });
  const results = await Promise.allSettled([
    pool.ask('echo', ['first']),
    pool.ask('returnFunction', []),
    pool.ask('throwFunction', []),
    pool.ask('echo', ['last']),
  ]);
  expect(results).toMatchObject([
    { value: 'first' },
    { reason: { name: 'DataCloneError' } },
    { reason: { name: 'TestError', message: 'thrown' } },
    { value: 'last' },
  ]);
});

test('sends the next request once after one that can’t be sent', async () => {
  const pool = createPool({ threads: 4 });
  const counter = createFlag();
  const resume = await pool.pause();
  const requests = [
    pool.ask('echo', [unsendable]),
    pool.ask('exit', [counter, 0]),
    pool.ask('exit', [counter, 0]),
  ];
  const results = Promise.allSettled(requests);
  resume();
  await results;
  await pool.close();
  expect(counter[0]).toBe(2);
});

test('rejects all requests of a thread that exits, and starts another one', async () => {
  const pool = createPool({ requestsPerThread: Infinity });
  const results = await Promise.allSettled([
    pool.ask('wait', [createFlag()]),
    pool.ask('exit', [createFlag(), 1]),
  ]);
  const reason = expect.objectContaining({
    name: 'ThreadError',
    thread: 'test-thread',
    reason: 'ended',
  }) as unknown;
  expect(results).toEqual([reason, reason].map((each) => ({ status: 'rejected', reason: each })));
  expect(await pool.ask('echo', ['next'])).toBe('next');
});

test('starts another thread for the next request after an exit behind a reply', async () => {
  const workers = listStartedWorkers();
  const pool = createPool();
  await pool.ask('exitAfterReply', []);
  await waitForExit(workers[0]);
  expect(await pool.ask('echo', ['next'])).toBe('next');
  expect(workers).toHaveLength(2);
});

test('rejects with the cause if a thread throws outside a request', async () => {
  const request = createPool().ask('throwOutside', []);
  await expect(request).rejects.toBeInstanceOf(ThreadError);
  await expect(request).rejects.toMatchObject({ reason: 'ended', cause: { message: 'thrown' } });
});

test('reports that a thread ran out of memory, and does not repeat its request', async () => {
  const workers = listStartedWorkers();
  const request = createPool({ heap: 20, repeats: 1 }).ask('exhaustMemory', []);
  await expect(request).rejects.toMatchObject({ name: 'ThreadError', reason: 'out-of-memory' });
  expect(workers).toHaveLength(1);
});

test('rejects a request if no program can start', async () => {
  const pool = new ThreadPool<TestHandlers>(threadFile(import.meta, 'missing'));
  await expect(pool.ask('echo', [1])).rejects.toMatchObject({ thread: 'missing', reason: 'ended' });
});

test('repeats a request of a thread that ended, so often as allowed', async () => {
  const pool = createPool({ repeats: 1 });
  const results = await Promise.allSettled([
    pool.ask('exit', [createFlag(), 1]),
    pool.ask('exit', [createFlag(), 9]),
    pool.ask('echo', ['next']),
  ]);
  expect(results).toMatchObject([{ value: 'survived' }, { reason: { reason: 'ended' } }, { value: 'next' }]);
});

test('repeats the requests of a thread in their order, but no aborted one', async () => {
  const pool = createPool({ requestsPerThread: Infinity, repeats: 1 });
  const [counter, abortedCounter] = [createFlag(), createFlag()];
  const control = new AbortController();
  const order: unknown[] = [];
  const abortedRequest = pool.ask('exit', [abortedCounter, 9], { signal: control.signal });
  const requests = [
    pool.ask('exit', [counter, 0]),
    pool.ask('echo', ['second']),
    pool.ask('echo', ['third']),
  ];
  const notes = requests.map(async (request) => order.push(await request));
  control.abort(new Error('aborted'));
  await expect(abortedRequest).rejects.toThrow('aborted');
  await Promise.all(notes);
  expect(order).toEqual(['survived', 'second', 'third']);
  expect([counter[0], abortedCounter[0]]).toEqual([1, 1]);
});

test('drops an aborted waiting request, and flags an aborted running one', async () => {
  const pool = createPool();
  const [flag, counter, signal] = [createFlag(), createFlag(), AbortSignal.abort(new Error('late'))];
  const control = new AbortController();
  const requests = [
    pool.ask('observeAbort', [flag, counter], { signal: control.signal }),
    pool.ask('exit', [counter, 9], { signal: control.signal }),
    pool.ask('exit', [counter, 9], { signal }),
  ];
  control.abort(new Error('aborted'));
  const reasons = ['aborted', 'aborted', 'late'].map((text) => ({ reason: new Error(text) }));
  expect(await Promise.allSettled(requests)).toMatchObject(reasons);
  release(flag);
  expect(await pool.ask('block', [flag])).toBe(false);
  expect(counter[0]).toBe(-1);
});

test('rejects requests beyond the limit of waiting ones', async () => {
  const pool = createPool({ maxWaiting: 1 });
  const flag = createFlag();
  const accepted = [pool.ask('block', [flag]), pool.ask('echo', ['second'])];
  await expect(pool.ask('echo', ['third'])).rejects.toMatchObject({ reason: 'crowded' });
  release(flag);
  expect(await Promise.all(accepted)).toEqual([false, 'second']);
});

test('replaces the thread of a request that takes too long, and keeps waiting requests', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = createPool({ timeoutMs: 1000 });
  const slowRequest = pool.ask('block', [createFlag()]);
  const lateReason = expect(slowRequest).rejects.toMatchObject({ reason: 'late' });
  vi.advanceTimersByTime(999);
  const waitingRequest = pool.ask('echo', ['waiting']);
  vi.advanceTimersByTime(1);
  await lateReason;
  expect(await waitingRequest).toBe('waiting');
});

test('ends a thread that is idle, and starts another one with the next request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const workers = listStartedWorkers();
  const pool = createPool({ idleMs: 1000 });
  const [flag, closeFlag] = [createFlag(), createFlag()];
  const request = pool.ask('block', [flag]);
  vi.advanceTimersByTime(1000);
  release(flag);
  await request;
  await pool.ask('setOnClose', [closeFlag]);
  expect(workers).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(pool.isRunning).toBe(false);
  await waitForExit(workers[0]);
  expect(closeFlag[0]).toBe(1);
  await pool.ask('echo', [1]);
  expect(workers).toHaveLength(2);
});

test('distributes requests over threads, and sends those for one thread to it', async () => {
  const pool = createPool({ threads: 2 });
  const flags = [createFlag(), createFlag()] as const;
  const blocked = [pool.ask('block', [flags[0]]), pool.ask('block', [flags[1]])];
  const waiting = [1, 1, 0].map((thread) => pool.ask('threadId', [], { thread }));
  release(flags[1]);
  const ids = await Promise.all(waiting.slice(0, 2));
  release(flags[0]);
  ids.push((await waiting[2]) ?? 0);
  expect(new Set(ids).size).toBe(2);
  expect(ids[0]).toBe(ids[1]);
  await Promise.all(blocked);
  expect(ids).toContain(await pool.ask('threadId', []));
});

test('starts a thread ahead of the first request', async () => {
  const workers = listStartedWorkers();
  const pool = createPool();
  await vi.waitFor(() => expect(pool.start()).toBe(true), { timeout: 60_000 });
  await pool.ask('echo', [1]);
  expect(workers).toHaveLength(1);
});

test('pauses after the running requests, and sends the waiting ones later', async () => {
  const pool = createPool();
  const [flag, closeFlag] = [createFlag(), createFlag()];
  await pool.ask('setOnClose', [closeFlag]);
  const runningRequest = pool.ask('block', [flag]);
  const waitingRequest = pool.ask('echo', ['waiting']);
  const pausing = pool.pause();
  release(flag);
  const resume = await pausing;
  expect([await runningRequest, closeFlag[0], pool.isRunning]).toEqual([false, 1, false]);
  resume();
  expect(await waitingRequest).toBe('waiting');
});

test('answers a running request on close, and rejects the waiting and later ones', async () => {
  const pool = createPool({ repeats: 1 });
  const flag = createFlag();
  const requests = [pool.ask('block', [flag]), pool.ask('echo', ['waiting'])];
  const results = Promise.allSettled(requests);
  const closing = pool.close();
  release(flag);
  await closing;
  const closed = { reason: 'closed' };
  expect(await results).toMatchObject([{ value: false }, { reason: closed }]);
  await expect(pool.ask('echo', ['later'])).rejects.toMatchObject(closed);
});

test('rejects a request whose thread ends during close, instead of repeating it', async () => {
  const pool = createPool({ repeats: 1 });
  const request = pool.ask('exit', [createFlag(), 1]);
  await Promise.all([expect(request).rejects.toMatchObject({ reason: 'ended' }), pool.close()]);
});

test('terminates a thread that does not end, and starts another one with the next request', async () => {
  const pool = createPool();
  const requests = [pool.ask('block', [createFlag()]), pool.ask('echo', ['waiting'])];
  const stopped = { reason: { name: 'ThreadError', reason: 'stopped' } };
  const results = Promise.allSettled(requests);
  await pool.terminate();
  expect(await results).toMatchObject([stopped, stopped]);
  expect(await pool.ask('echo', ['next'])).toBe('next');
});

/** Runs a program with a `pool` in another process. Returns its exit code and output. */
function runProgram(program: string): readonly unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-threads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const setup = `
    import { ThreadPool } from ${JSON.stringify(new URL('thread-pool.ts', import.meta.url).href)};
    const pool = new ThreadPool(${JSON.stringify(file)}, { requestsPerThread: 2 });
    const flag = new Int32Array(new SharedArrayBuffer(4));`;
  writeFileSync(join(folder, 'program.mjs'), setup + program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'program.mjs')], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return [status, stdout, stderr];
}

test('lets the process end while its thread is idle, but not before a reply', () => {
  const program = `console.log(await pool.ask('waitMilliseconds', [100]));`;
  expect(runProgram(program)).toEqual([0, 'waited\n', '']);
});

test('lets the process end after a thread was started ahead', () => {
  expect(runProgram('pool.start();')).toEqual([0, '', '']);
});

test('keeps the process alive until a busy thread has closed', () => {
  const program = `
    await pool.ask('echo', [1]);
    void pool.ask('waitMilliseconds', [100]);
    await pool.close();
    console.log('closed');`;
  expect(runProgram(program)).toEqual([0, 'closed\n', '']);
});

test('keeps the process alive until a busy thread is terminated', () => {
  const program = `
    await pool.ask('echo', [1]);
    const request = pool.ask('wait', [flag]).catch((error) => console.log(error.message));
    await pool.terminate();
    await request;`;
  expect(runProgram(program)).toEqual([0, 'The thread test-thread was stopped.\n', '']);
});
