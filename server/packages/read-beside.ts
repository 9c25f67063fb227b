import { Worker } from 'node:worker_threads';
import { isOutOfMemory, threadFile } from '../store/thread-file.ts';
import type { PackageIndex } from './definitions-file.ts';
import { memoryBudget } from '../memory-budget.ts';
import { PackageFault } from './limits.ts';

/** What the thread is given. */
export interface ReadOrder {
  readonly path: string;
  readonly target: string;
}

/** What it answers; `code` is that of a fault of the system, such as a full disk. */
export type ReadReport =
  | { readonly index: PackageIndex }
  | { readonly fault: string }
  | { readonly failed: unknown; readonly code: string };

const thread = threadFile(import.meta, 'package-thread');

/**
 * Reads a package in a thread of its own, as `readPackage` does: a large one takes seconds, and a hostile one the
 * thread's memory at most.
 *
 * @throws PackageFault with a sentence.
 */
export async function readBeside(order: ReadOrder): Promise<PackageIndex> {
  const report = await new Promise<ReadReport>((answer, reject) => {
    const resourceLimits = { maxOldGenerationSizeMb: memoryBudget().packageHeap };
    const worker = new Worker(thread, { workerData: order, resourceLimits });
    worker.once('message', answer);
    worker.once('error', (error: Error) => reject(tooCostly(error)));
    worker.once('exit', () => reject(new Error('The thread that reads packages ended.')));
  });
  if ('index' in report) return report.index;
  if ('fault' in report) throw new PackageFault(report.fault);
  throw Object.assign(new Error('A package was not read.', { cause: report.failed }), { code: report.code });
}

function tooCostly(error: Error): Error {
  if (!isOutOfMemory(error)) return error;
  return new PackageFault('The package takes more memory than is at hand.');
}
