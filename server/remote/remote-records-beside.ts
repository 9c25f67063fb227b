import { Worker } from 'node:worker_threads';
import { threadFile } from '../store/thread-file.ts';
import type { RemoteRecords } from './remote-records.ts';

type MethodName = keyof RemoteRecords;

/** Request to the worker thread. It responds in order, and opens a file at the first request for it. */
export interface RecordsOrder<Method extends MethodName = MethodName> {
  readonly path: string;
  readonly name: Method | 'remove';
  readonly methodArguments: Parameters<RemoteRecords[Method]> | [];
}

export type RecordsReply = { readonly result: unknown } | { readonly error: unknown };

/** {@link RemoteRecords} with asynchronous methods. */
export type RemoteRecordsWorker = {
  readonly [Asked in MethodName]: (
    ...methodArguments: Parameters<RemoteRecords[Asked]>
  ) => Promise<ReturnType<RemoteRecords[Asked]>>;
};

interface Thread {
  readonly worker: Worker;
  /** Callers that wait for a response, in the order of the responses. */
  readonly pendingCalls: PromiseWithResolvers<unknown>[];
}

const file = threadFile(import.meta, 'remote-records-worker');

/**
 * Creates the access to the record files of other servers through one worker thread. A scan of a large file takes
 * seconds, and requests are answered meanwhile. The thread ends when the last file is closed.
 */
export function createRemoteRecordsWorker() {
  let thread: Thread | undefined;
  const openPaths = new Set<string>();

  function start(): Thread {
    const worker = new Worker(file);
    const startedThread: Thread = { worker, pendingCalls: [] };
    const onEnd = (fault: unknown) => {
      if (thread === startedThread) thread = undefined;
      for (const { reject } of startedThread.pendingCalls.splice(0)) reject(fault);
    };
    worker.on('message', (reply: RecordsReply) => {
      const order = startedThread.pendingCalls.shift();
      if (startedThread.pendingCalls.length === 0) worker.unref();
      if ('error' in reply) order?.reject(reply.error);
      else order?.resolve(reply.result);
    });
    worker.once('error', onEnd);
    worker.once('exit', () => onEnd(new Error('A thread ended.')));
    return startedThread;
  }

  /** Sends a request. A process that ends waits only for pending requests of the thread. */
  function ask(order: RecordsOrder): Promise<unknown> {
    thread ??= start();
    const pendingCall = Promise.withResolvers<unknown>();
    thread.pendingCalls.push(pendingCall);
    thread.worker.ref();
    thread.worker.postMessage(order);
    return pendingCall.promise;
  }

  async function end(path: string, name: 'close' | 'remove'): Promise<void> {
    openPaths.delete(path);
    await ask({ path, name, methodArguments: [] });
    if (openPaths.size > 0 || !thread || thread.pendingCalls.length > 0) return;
    const { worker } = thread;
    thread = undefined;
    await worker.terminate();
  }

  return {
    /** Opens the file at `path`, or creates it. */
    open(path: string): RemoteRecordsWorker {
      openPaths.add(path);
      async function send<Method extends MethodName>(
        name: Method,
        methodArguments: RecordsOrder<Method>['methodArguments'],
      ) {
        if (!openPaths.has(path)) throw new Error('The file was closed.');
        return (await ask({ path, name, methodArguments })) as ReturnType<RemoteRecords[Method]>;
      }
      return {
        job: () => send('job', []),
        keep: (...methodArguments) => send('keep', methodArguments),
        put: (...methodArguments) => send('put', methodArguments),
        records: () => send('records', []),
        counts: (...methodArguments) => send('counts', methodArguments),
        findings: (...methodArguments) => send('findings', methodArguments),
        close: () => end(path, 'close'),
      };
    },

    /** Closes and removes the file at `path`. */
    remove: (path: string): Promise<void> => end(path, 'remove'),
  };
}
