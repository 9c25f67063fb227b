/** Thread of the tests of `ThreadPool`. */
import { setTimeout } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { FhirError } from '../../../core/fhir/outcome.ts';
import { getThreadData, isRequestAborted, serveRequests } from '../serve-requests.ts';
import { TestError } from './test-error.ts';

const handlers = {
  echo: (value: unknown) => value,
  data: () => getThreadData(),
  threadId: () => threadId,
  /** Blocks the thread while the flag is 0. Returns true if the request was aborted. */
  block(flag: Int32Array) {
    Atomics.wait(flag, 0, 0);
    return isRequestAborted();
  },
  /** Waits for a flag without blocking the thread. */
  async wait(flag: Int32Array) {
    await Atomics.waitAsync(flag, 0, 0).value;
    return 'waited';
  },
  async waitMilliseconds(milliseconds: number) {
    await setTimeout(milliseconds);
    return 'waited';
  },
  throwError(member: unknown): never {
    throw new TestError(member);
  },
  throwFunction(): never {
    throw new TestError(() => undefined);
  },
  throwFhirError(): never {
    throw new FhirError('stale', { text: 'changed', messageCode: 'test.changed' }, { ETag: 'W/"2"' });
  },
  reject: (member: unknown) => Promise.reject(new TestError(member)),
  returnFunction: () => () => undefined,
  /** Ends the thread a number of times, counted in shared memory. */
  exit(counter: Int32Array, times: number) {
    if (Atomics.add(counter, 0, 1) < times) process.exit(1);
    return 'survived';
  },
  exitAfterReply() {
    setImmediate(() => process.exit());
  },
  /** Throws outside a request. */
  throwOutside() {
    setImmediate(() => {
      throw new TestError('outside');
    });
    return Promise.withResolvers<never>().promise;
  },
  /** Blocks the thread while the flag is 0. Then sets the other flag to -1 if the request was aborted. */
  observeAbort(flag: Int32Array, result: Int32Array) {
    Atomics.wait(flag, 0, 0);
    Atomics.store(result, 0, isRequestAborted() ? -1 : 1);
  },
  exhaustMemory(): never {
    const values: unknown[][] = [];
    for (;;) values.push(Array.from({ length: 1000 }, () => ({})));
  },
  /** Sets the flag when the thread closes. */
  setOnClose(flag: Int32Array) {
    closeFlag = flag;
  },
};

let closeFlag: Int32Array | undefined;

export type TestHandlers = typeof handlers;

serveRequests(handlers, () => {
  if (closeFlag) Atomics.store(closeFlag, 0, 1);
});
