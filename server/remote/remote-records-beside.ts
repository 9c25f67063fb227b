import { threadFile, ThreadPool } from '../threads/thread-pool.ts';
import type { RemoteRecordsHandlers } from './remote-records-worker.ts';
import type { RemoteRecords } from './remote-records.ts';

type MethodName = keyof RemoteRecords;

/** {@link RemoteRecords} with asynchronous methods. */
export type RemoteRecordsWorker = {
  readonly [Asked in MethodName]: (
    ...methodArguments: Parameters<RemoteRecords[Asked]>
  ) => Promise<ReturnType<RemoteRecords[Asked]>>;
};

const file = threadFile(import.meta, 'remote-records-worker');

/**
 * Creates the access to the record files of other servers through one worker thread. A scan of a large file takes
 * seconds, and requests are answered meanwhile. The thread ends when the last file is closed.
 */
export function createRemoteRecordsWorker() {
  const thread = new ThreadPool<RemoteRecordsHandlers>(file, { requestsPerThread: Infinity });
  const openPaths = new Set<string>();

  async function end(path: string, name: 'close' | 'remove'): Promise<void> {
    openPaths.delete(path);
    await thread.ask(name, [path]);
    if (openPaths.size === 0) await thread.drain();
  }

  return {
    /** Opens the file at `path`, or creates it. */
    open(path: string): RemoteRecordsWorker {
      openPaths.add(path);
      async function send<Method extends MethodName>(
        name: Method,
        methodArguments: Parameters<RemoteRecords[Method]>,
      ) {
        if (!openPaths.has(path)) throw new Error('The file was closed.');
        return (await thread.ask('call', [path, name, methodArguments])) as ReturnType<RemoteRecords[Method]>;
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
