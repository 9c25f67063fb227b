/** Worker that reads a package. A worker starts from its own entry file. */
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../store/store-error.ts';
import { lowerThreadPriority } from '../store/thread-priority.ts';
import { PackageError } from './limits.ts';
import type { PackageReadRequest, ReadReport } from './read-package-in-worker.ts';
import { readPackage } from './read-package.ts';

lowerThreadPriority();
const { path, target } = workerData as PackageReadRequest;

function toFailureReport(error: unknown): ReadReport {
  if (error instanceof PackageError) return { fault: error.sentence };
  return { failed: error, code: codeOf(error) };
}

void readPackage(path, target)
  .then((index): ReadReport => ({ index }), toFailureReport)
  .then((report) => parentPort?.postMessage(report));
