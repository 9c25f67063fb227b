import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { RemoteRecords } from './remote-records.ts';

type Name = keyof RemoteRecords;

/** What the thread is asked to do; it answers in order, and opens a file when it is first named. */
export interface RecordsOrder<Asked extends Name = Name> {
  readonly path: string;
  readonly name: Asked | 'remove';
  readonly given: Parameters<RemoteRecords[Asked]> | [];
}

export type RecordsReply = { readonly result: unknown } | { readonly failed: unknown };

/** The same as {@link RemoteRecords}, but later. */
export type RecordsBeside = {
  readonly [Asked in Name]: (
    ...given: Parameters<RemoteRecords[Asked]>
  ) => Promise<ReturnType<RemoteRecords[Asked]>>;
};

interface Thread {
  readonly worker: Worker;
  /** Who waits for an answer, in the order of the answers. */
  readonly waiting: PromiseWithResolvers<unknown>[];
}

const file = threadFile(import.meta, 'remote-records-thread');

/**
 * The files of other servers' records, all in one thread: to look a large one through takes seconds, and other requests
 * are answered meanwhile. The thread ends with the last file that is closed.
 */
export function remoteRecordsBeside() {
  let thread: Thread | undefined;
  const opened = new Set<string>();

  function start(): Thread {
    const worker = new Worker(file);
    const started: Thread = { worker, waiting: [] };
    const gone = (fault: unknown) => {
      if (thread === started) thread = undefined;
      for (const { reject } of started.waiting.splice(0)) reject(fault);
    };
    worker.on('message', (reply: RecordsReply) => {
      const order = started.waiting.shift();
      if (started.waiting.length === 0) worker.unref();
      if ('failed' in reply) order?.reject(reply.failed);
      else order?.resolve(reply.result);
    });
    worker.once('error', gone);
    worker.once('exit', () => gone(new Error('A thread ended.')));
    return started;
  }

  /** A process that ends waits for what was asked, and for nothing else of the thread. */
  function ask(order: RecordsOrder): Promise<unknown> {
    thread ??= start();
    const asked = Promise.withResolvers<unknown>();
    thread.waiting.push(asked);
    thread.worker.ref();
    thread.worker.postMessage(order);
    return asked.promise;
  }

  async function end(path: string, name: 'close' | 'remove'): Promise<void> {
    opened.delete(path);
    await ask({ path, name, given: [] });
    if (opened.size > 0 || !thread || thread.waiting.length > 0) return;
    const { worker } = thread;
    thread = undefined;
    await worker.terminate();
  }

  return {
    /** The file at `path`, which is made where there is none. */
    open(path: string): RecordsBeside {
      opened.add(path);
      async function send<Asked extends Name>(name: Asked, given: RecordsOrder<Asked>['given']) {
        if (!opened.has(path)) throw new Error('The file was closed.');
        return (await ask({ path, name, given })) as ReturnType<RemoteRecords[Asked]>;
      }
      return {
        job: () => send('job', []),
        keep: (...given) => send('keep', given),
        put: (...given) => send('put', given),
        records: () => send('records', []),
        counts: (...given) => send('counts', given),
        findings: (...given) => send('findings', given),
        close: () => end(path, 'close'),
      };
    },

    /** Closes and removes the file at `path`. */
    remove: (path: string): Promise<void> => end(path, 'remove'),
  };
}
