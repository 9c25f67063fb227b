import { Worker } from 'node:worker_threads';
import type { Comparison } from '../../../core/app/backups.ts';
import { threadFile } from '../thread-file.ts';
import { DataFolderError, isFolderFault } from './data-folder-error.ts';
import { inspectCopy } from './inspect-copy.ts';
import type { Inspection } from './inspect.ts';

/** What the thread is given. */
export interface InspectionOrder extends Inspection {
  readonly path: string;
}

/** What the thread answers: how the texts were found, or why the file is not good. */
export interface InspectionReport {
  readonly compared?: Comparison | null;
  readonly fault?: string;
  readonly message?: string;
  readonly detail?: string | undefined;
}

const thread = threadFile(import.meta, 'inspect-thread');

/**
 * Inspects a copy in a thread of its own, and compares its texts with their sums: a large one takes minutes, and other
 * requests are answered meanwhile. Where no thread can be started they wait.
 *
 * @throws DataFolderError as `inspect` does.
 */
export async function inspectBeside(
  path: string,
  given: Partial<Inspection> = {},
): Promise<Comparison | null> {
  const inspection: Inspection = { closed: false, ...given };
  const report = await inThread({ ...inspection, path });
  if (!report) return inspectCopy(path, inspection);
  if (report.message === undefined) return report.compared ?? null;
  const fault = isFolderFault(report.fault) ? report.fault : 'unusable';
  throw new DataFolderError(fault, report.message, { detail: report.detail });
}

/** What the thread says; undefined where it says nothing. */
function inThread(order: InspectionOrder): Promise<InspectionReport | undefined> {
  return new Promise((answer) => {
    const worker = new Worker(thread, { workerData: order });
    // A process that ends does not wait for it: what it looks at is a draft.
    worker.unref();
    const silent = () => answer(undefined);
    worker.once('message', answer).once('error', silent).once('exit', silent);
  });
}
