/** Worker thread of `verifyInWorker`. */
import { parentPort, workerData } from 'node:worker_threads';
import { DataFolderError } from './data-folder-error.ts';
import type { IntegrityRequest, InspectionReport } from './integrity-in-worker.ts';
import { verifyCopy } from './inspect-copy.ts';

function run({ path, ...inspection }: IntegrityRequest): InspectionReport {
  try {
    return { comparison: verifyCopy(path, inspection) };
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    const { errorCode, sentence, detail } = error;
    return { fault: errorCode, sentence, detail };
  }
}

parentPort?.postMessage(run(workerData as IntegrityRequest));
