import { Worker } from 'node:worker_threads';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { isOutOfMemory, threadFile } from '../store/thread-file.ts';
import type { PackageIndex } from './definitions-file.ts';
import { memoryBudget } from '../memory-budget.ts';
import { PackageError } from './limits.ts';

/** Request to the worker. */
export interface PackageReadRequest {
  readonly path: string;
  readonly target: string;
}

/** Response of the worker; `code` is the code of a system error, such as a full disk. */
export type ReadReport =
  | { readonly index: PackageIndex }
  | { readonly fault: Message }
  | { readonly failed: unknown; readonly code: string };

const messages = defineMessages('package.read', {
  outOfMemory: 'The package needs more memory than is available.',
});

const thread = threadFile(import.meta, 'package-worker');

/**
 * Reads a package in a worker, like `readPackage`. A large one takes seconds, and a hostile one can exhaust
 * only the worker's memory.
 *
 * @throws PackageError with a message.
 */
export async function readPackageInWorker(request: PackageReadRequest): Promise<PackageIndex> {
  const report = await new Promise<ReadReport>((resolve, reject) => {
    const resourceLimits = { maxOldGenerationSizeMb: memoryBudget().packageHeap };
    const worker = new Worker(thread, { workerData: request, resourceLimits });
    worker.once('message', resolve);
    worker.once('error', (error: Error) => reject(tooCostly(error)));
    worker.once('exit', () => reject(new Error('The thread that reads packages ended.')));
  });
  if ('index' in report) return report.index;
  if ('fault' in report) throw new PackageError(report.fault);
  throw Object.assign(new Error('A package couldn’t be read.', { cause: report.failed }), {
    code: report.code,
  });
}

function tooCostly(error: Error): Error {
  if (!isOutOfMemory(error)) return error;
  return new PackageError(messages.outOfMemory());
}
