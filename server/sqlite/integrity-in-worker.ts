import { Worker } from 'node:worker_threads';
import type { Comparison } from '../../core/app/backups.ts';
import type { Message } from '../../core/text/message.ts';
import { threadFile } from '../store/thread-file.ts';
import { DataFolderError, isFolderErrorCode } from './data-folder-error.ts';
import { verifyCopy } from './inspect-copy.ts';
import type { IntegrityReport } from './integrity.ts';

/** Request to the worker thread. */
export interface IntegrityRequest extends IntegrityReport {
  readonly path: string;
}

/** Response of the worker thread: the comparison of the texts, or the problem of the file. */
export interface InspectionReport {
  readonly comparison?: Comparison | null;
  readonly fault?: string;
  readonly sentence?: Message;
  readonly detail?: string | undefined;
}

const thread = threadFile(import.meta, 'integrity-worker');

/**
 * Verifies a copy and its texts in a worker thread. A large file takes minutes, and requests are answered meanwhile. If
 * no thread can start, verifies in this thread.
 *
 * @throws DataFolderError as `verifyDatabase` does.
 */
export async function verifyInWorker(
  path: string,
  options: Partial<IntegrityReport> = {},
): Promise<Comparison | null> {
  const request: IntegrityReport = { closed: false, ...options };
  const response = await runWorker({ ...request, path });
  if (!response) return verifyCopy(path, request);
  if (response.sentence === undefined) return response.comparison ?? null;
  const fault = isFolderErrorCode(response.fault) ? response.fault : 'unusable';
  throw new DataFolderError(fault, response.sentence, { detail: response.detail });
}

/** Runs the worker thread. Returns undefined if it ends without a response. */
function runWorker(order: IntegrityRequest): Promise<InspectionReport | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(thread, { workerData: order });
    // The process may exit before the thread ends: the verified file is a draft.
    worker.unref();
    const resolveWithoutResponse = () => resolve(undefined);
    worker
      .once('message', resolve)
      .once('error', resolveWithoutResponse)
      .once('exit', resolveWithoutResponse);
  });
}
