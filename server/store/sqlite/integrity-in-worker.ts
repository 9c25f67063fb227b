import { Worker } from 'node:worker_threads';
import type { Comparison } from '../../../core/app/backups.ts';
import type { Message } from '../../../core/text/message.ts';
import { threadFile } from '../thread-file.ts';
import { DataFolderError, isFolderFault } from './data-folder-error.ts';
import { verifyCopy } from './inspect-copy.ts';
import type { IntegrityReport } from './integrity.ts';

/** What the thread is given. */
export interface IntegrityRequest extends IntegrityReport {
  readonly path: string;
}

/** What the thread answers: how the texts were found, or why the file is not good. */
export interface InspectionReport {
  readonly compared?: Comparison | null;
  readonly fault?: string;
  readonly sentence?: Message;
  readonly detail?: string | undefined;
}

const thread = threadFile(import.meta, 'integrity-worker');

/**
 * Inspects a copy in a thread of its own, and compares its texts with their sums: a large one takes minutes, and other
 * requests are answered meanwhile. Where no thread can be started they wait.
 *
 * @throws DataFolderError as `inspect` does.
 */
export async function verifyInWorker(
  path: string,
  given: Partial<IntegrityReport> = {},
): Promise<Comparison | null> {
  const inspection: IntegrityReport = { closed: false, ...given };
  const report = await inThread({ ...inspection, path });
  if (!report) return verifyCopy(path, inspection);
  if (report.sentence === undefined) return report.compared ?? null;
  const fault = isFolderFault(report.fault) ? report.fault : 'unusable';
  throw new DataFolderError(fault, report.sentence, { detail: report.detail });
}

/** What the thread says; undefined where it says nothing. */
function inThread(order: IntegrityRequest): Promise<InspectionReport | undefined> {
  return new Promise((answer) => {
    const worker = new Worker(thread, { workerData: order });
    // A process that ends does not wait for it: what it looks at is a draft.
    worker.unref();
    const silent = () => answer(undefined);
    worker.once('message', answer).once('error', silent).once('exit', silent);
  });
}
