/** The thread of `inspectBeside`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { DataFolderError } from './data-folder-error.ts';
import type { InspectionOrder, InspectionReport } from './inspect-beside.ts';
import { inspectCopy } from './inspect-copy.ts';

function run({ path, ...inspection }: InspectionOrder): InspectionReport {
  try {
    return { compared: inspectCopy(path, inspection) };
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    const { fault, message, detail } = error;
    return { fault, message, detail };
  }
}

parentPort?.postMessage(run(workerData as InspectionOrder));
