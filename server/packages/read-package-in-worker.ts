import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget } from '../memory-budget.ts';
import { ThreadError, threadFile, ThreadPool } from '../threads/thread-pool.ts';
import type { PackageIndex } from './definitions-file.ts';
import { PackageError } from './limits.ts';
import type { PackageHandlers } from './package-worker.ts';

const messages = defineMessages('package.read', {
  outOfMemory: 'The package needs more memory than is available.',
});

const pool = new ThreadPool<PackageHandlers>(threadFile(import.meta, 'package-worker'), {
  heap: memoryBudget().packageHeap,
  idleMs: 0,
  errorClasses: { PackageError },
});

/**
 * Reads a package in a worker, like `readPackage`. A large one takes seconds, and a hostile one can exhaust
 * only the worker's memory.
 *
 * @throws PackageError with a message.
 */
export async function readPackageInWorker(path: string, target: string): Promise<PackageIndex> {
  try {
    return await pool.ask('readPackage', [path, target]);
  } catch (error) {
    if (error instanceof ThreadError && error.reason === 'out-of-memory')
      throw new PackageError(messages.outOfMemory());
    throw error;
  }
}
