/**
 * Worker pool that parses and validates large texts and the texts of concurrent writes. Called at server
 * start. Invariant: a worker receives only texts, and a large text never delays a small one.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget } from '../memory-budget.ts';
import { doHere, type JobName, type Run } from '../fhir/jobs.ts';
import { isOutOfMemory, threadFile } from '../store/thread-file.ts';
import { tell } from '../store/thread-reply.ts';
import type { FromThread, ToThread } from './text-worker.ts';

/**
 * Characters of the largest small text. A hostile one of this size takes 50 ms. An ordinary one takes less
 * time than waking a worker.
 */
export const largest = 64 * 1024;

const messages = defineMessages('text', {
  outOfMemory: 'The body needs more memory than is available. Send a smaller one.',
});

/** Threads for large texts at most, which wait for each other rather than for the processor, and megabytes of each. */
const { textThreads: maxThreads, textHeap: heap } = memoryBudget();

/** Milliseconds without a job after which a worker exits and frees its memory. */
const idleTime = 10_000;

interface PendingJob {
  readonly order: ToThread;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** True when its program is loaded. */
  ready: boolean;
  /** In the order of the responses. */
  readonly jobs: PendingJob[];
  readonly idle: NodeJS.Timeout;
}

const file = threadFile(import.meta, 'text-worker');

/** @param useWorkerForSmall - True if small texts gain by a worker: there is another processor. */
export function textPool(useWorkerForSmall = availableParallelism() > 1) {
  /** For large texts, one at a time each. */
  const large = new Set<Thread>();
  const queue: PendingJob[] = [];
  /** Worker for small texts, one at a time. */
  let quick: Thread | undefined;

  function start(onExit: (thread: Thread) => void): Thread {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heap } });
    const idle = setTimeout(() => {
      if (thread.jobs.length > 0) idle.refresh();
      else void worker.terminate();
    }, idleTime).unref();
    const thread: Thread = { worker, ready: false, jobs: [], idle };
    worker.unref();
    worker.on('message', (message: FromThread) => hear(thread, message));
    // A failed worker fails only its own jobs.
    const handleExit = (failure: unknown) => {
      clearTimeout(idle);
      onExit(thread);
      for (const { reject } of thread.jobs.splice(0)) reject(failure);
    };
    worker.once('error', (error) => handleExit(tooCostly(error)));
    worker.once('exit', () => handleExit(new Error('A thread ended.')));
    return thread;
  }

  function hear(thread: Thread, message: FromThread): void {
    if ('ready' in message) {
      thread.ready = true;
      return;
    }
    const job = thread.jobs.shift();
    thread.idle.refresh();
    if (job) tell(message, job);
    handOut();
  }

  function give(thread: Thread, job: PendingJob): void {
    thread.jobs.push(job);
    thread.worker.postMessage(job.order);
  }

  /** Assigns large jobs while a worker is available. */
  function handOut(): void {
    while (queue.length > 0) {
      const free =
        [...large].find(({ jobs }) => jobs.length === 0) ??
        (large.size < maxThreads ? startThread() : undefined);
      const job = free && queue.shift();
      if (!free || !job) return;
      give(free, job);
    }
  }

  function startThread(): Thread {
    const thread = start((exitedThread) => {
      large.delete(exitedThread);
      handOut();
    });
    large.add(thread);
    return thread;
  }

  /** The thread for small texts, once it can work. */
  function quickThread(): Thread | undefined {
    quick ??= start(() => {
      quick = undefined;
    });
    return quick.ready ? quick : undefined;
  }

  const run = ((job: JobName, jobArguments: ToThread['jobArguments'], shared = false) => {
    const isLarge = lengthOf(jobArguments) > largest;
    const thread = !isLarge && useWorkerForSmall && shared ? quickThread() : undefined;
    if (!isLarge && !thread) return doHere(job, jobArguments as never);
    return new Promise<unknown>((resolve, reject) => {
      const pendingJob = { order: { job, jobArguments }, resolve, reject };
      if (thread) {
        give(thread, pendingJob);
        return;
      }
      queue.push(pendingJob);
      handOut();
    });
  }) as Run;

  return {
    /** Runs small jobs here, unless writes coincide. Runs large jobs in a worker. */
    run,

    async close(): Promise<void> {
      for (const { reject } of queue.splice(0)) reject(new Error('The threads end.'));
      await Promise.all([...large, ...(quick ? [quick] : [])].map(({ worker }) => worker.terminate()));
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

/** A body for which the memory of a thread is too small. */
function tooCostly(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error;
  return new FhirError('too-costly', messages.outOfMemory());
}
