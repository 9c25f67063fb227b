/** The thread in which a package is read; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../store/store-error.ts';
import { stepBack } from '../store/thread-priority.ts';
import { PackageFault } from './limits.ts';
import type { ReadOrder, ReadReport } from './read-beside.ts';
import { readPackage } from './read-package.ts';

stepBack();
const { path, target } = workerData as ReadOrder;

function failed(error: unknown): ReadReport {
  if (error instanceof PackageFault) return { fault: error.message };
  return { failed: error, code: codeOf(error) };
}

void readPackage(path, target)
  .then((index): ReadReport => ({ index }), failed)
  .then((report) => parentPort?.postMessage(report));
