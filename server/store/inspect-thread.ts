/** The thread of `inspectBeside`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { DataFolderError } from './data-folder-error.ts';
import { faultOf, inspect, inspectBytes } from './inspect.ts';
import type { InspectionOrder, InspectionReport } from './inspect-beside.ts';
import { connect } from './sqlite.ts';

function run({ path, ...inspection }: InspectionOrder): InspectionReport {
  try {
    inspectBytes(path);
    carryOver(path);
    inspect(path, inspection);
    return {};
  } catch (error) {
    const fault = error instanceof DataFolderError ? error.fault : faultOf(error);
    return { fault, message: error instanceof Error ? error.message : 'The file could not be read.' };
  }
}

/** A copy of a database in WAL mode is in that mode too: reading it would leave two files beside it. */
function carryOver(path: string): void {
  const database = connect(path);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

parentPort?.postMessage(run(workerData as InspectionOrder));
