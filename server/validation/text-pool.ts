/**
 * Worker pool that parses and validates large texts and the texts of concurrent writes. Called at server
 * start. Invariant: a worker receives only texts, and a large text never delays a small one.
 */
import { availableParallelism } from 'node:os';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget } from '../memory-budget.ts';
import { doHere, type JobName, type Run } from '../fhir/drafts.ts';
import { ThreadError, threadFile, ThreadPool } from '../threads/thread-pool.ts';
import type { TextHandlers } from './text-worker.ts';

/**
 * Characters of the largest small text. A hostile one of this size takes 50 ms. An ordinary one takes less
 * time than waking a worker.
 */
export const largest = 64 * 1024;

const messages = defineMessages('text', {
  outOfMemory: 'The body needs more memory than is available. Send a smaller one.',
});

/** Number of threads for large texts, which wait for each other rather than for the processor, and megabytes of each. */
const { textThreads: threads, textHeap: heap } = memoryBudget();

/** Milliseconds without a job after which a worker exits and frees its memory. */
const idleMs = 10_000;

const file = threadFile(import.meta, 'text-worker');

/** @param useWorkerForSmall - True if small texts gain by a worker: there is another processor. */
export function textPool(useWorkerForSmall = availableParallelism() > 1) {
  const largePool = new ThreadPool<TextHandlers>(file, { threads, heap, idleMs });
  const smallPool = new ThreadPool<TextHandlers>(file, { requestsPerThread: Infinity, heap, idleMs });

  const run = ((job: JobName, jobArguments: readonly unknown[], shared = false) => {
    const isLarge = lengthOf(jobArguments) > largest;
    const usesWorker = isLarge || (useWorkerForSmall && shared && smallPool.start());
    if (!usesWorker) return doHere(job, jobArguments as never);
    return (isLarge ? largePool : smallPool).ask('run', [job, jobArguments]).catch(throwTooCostly);
  }) as Run;

  return {
    /** Runs small jobs here, unless writes coincide. Runs large jobs in a worker. */
    run,

    async close(): Promise<void> {
      await Promise.all([largePool.terminate(), smallPool.terminate()]);
    },
  };
}

/** Characters of all texts that a job is given. */
function lengthOf(jobArguments: unknown): number {
  if (typeof jobArguments === 'string') return jobArguments.length;
  if (typeof jobArguments !== 'object' || jobArguments === null) return 0;
  let length = 0;
  for (const member of Object.values(jobArguments)) length += lengthOf(member);
  return length;
}

/** A body may need more memory than a thread has. */
function throwTooCostly(error: unknown): never {
  if (error instanceof ThreadError && error.reason === 'out-of-memory')
    throw new FhirError('too-costly', messages.outOfMemory());
  throw error;
}
