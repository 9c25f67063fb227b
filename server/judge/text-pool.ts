/**
 * Threads beside the one that answers, in which texts are parsed and judged: large ones, and those of writes that come
 * together. Called by the start of the server. Invariant: a thread knows texts alone; a large one keeps no small one
 * waiting.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FhirError } from '../../core/fhir/outcome.ts';
import { memoryBudget } from '../memory-budget.ts';
import { doHere, type JobName, type Run } from '../fhir/jobs.ts';
import { isOutOfMemory, threadFile } from '../store/thread-file.ts';
import { tell } from '../store/thread-reply.ts';
import type { FromThread, ToThread } from './text-thread.ts';

/**
 * Characters of the largest text that is small. A hostile one of this size takes 50 ms; an ordinary one takes less than
 * the way to a thread that has to be woken, and back.
 */
export const largest = 64 * 1024;

/** Threads for large texts at most, which wait for each other rather than for the processor, and megabytes of each. */
const { textThreads: most, textHeap: heap } = memoryBudget();

/** Milliseconds without a job after which a thread ends, and gives its memory back. */
const idleTime = 10_000;

interface Waiting {
  readonly order: ToThread;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Whether its program is loaded. */
  ready: boolean;
  /** In the order in which they are answered. */
  readonly jobs: Waiting[];
  readonly idle: NodeJS.Timeout;
}

const file = threadFile(import.meta, 'text-thread');

/** @param beside - Whether small texts gain by a thread: there is another processor. */
export function textPool(beside = availableParallelism() > 1) {
  /** For large texts, one at a time each. */
  const large = new Set<Thread>();
  const queue: Waiting[] = [];
  /** For small ones, one behind the other. */
  let quick: Thread | undefined;

  function start(ended: (thread: Thread) => void): Thread {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heap } });
    const idle = setTimeout(() => {
      if (thread.jobs.length > 0) idle.refresh();
      else void worker.terminate();
    }, idleTime).unref();
    const thread: Thread = { worker, ready: false, jobs: [], idle };
    worker.unref();
    worker.on('message', (message: FromThread) => hear(thread, message));
    // A thread that fails takes its jobs along, and no others.
    const gone = (fault: unknown) => {
      clearTimeout(idle);
      ended(thread);
      for (const { reject } of thread.jobs.splice(0)) reject(fault);
    };
    worker.once('error', (error) => gone(tooCostly(error)));
    worker.once('exit', () => gone(new Error('A thread ended.')));
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

  function give(thread: Thread, job: Waiting): void {
    thread.jobs.push(job);
    thread.worker.postMessage(job.order);
  }

  /** Hands out what is large, as long as there is a thread for it. */
  function handOut(): void {
    while (queue.length > 0) {
      const free =
        [...large].find(({ jobs }) => jobs.length === 0) ?? (large.size < most ? another() : undefined);
      const job = free && queue.shift();
      if (!free || !job) return;
      give(free, job);
    }
  }

  function another(): Thread {
    const thread = start((ended) => {
      large.delete(ended);
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

  const run = ((job: JobName, given: ToThread['given'], shared = false) => {
    const isLarge = lengthOf(given) > largest;
    const thread = !isLarge && beside && shared ? quickThread() : undefined;
    if (!isLarge && !thread) return doHere(job, given as never);
    return new Promise<unknown>((resolve, reject) => {
      const waiting = { order: { job, given }, resolve, reject };
      if (thread) {
        give(thread, waiting);
        return;
      }
      queue.push(waiting);
      handOut();
    });
  }) as Run;

  return {
    /** Does here what is small, unless writes come together, and in a thread what is large. */
    run,

    async close(): Promise<void> {
      for (const { reject } of queue.splice(0)) reject(new Error('The threads end.'));
      await Promise.all([...large, ...(quick ? [quick] : [])].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Characters of all texts that a job is given. */
function lengthOf(given: unknown): number {
  if (typeof given === 'string') return given.length;
  if (typeof given !== 'object' || given === null) return 0;
  let length = 0;
  for (const one of Object.values(given)) length += lengthOf(one);
  return length;
}

/** A body for which the memory of a thread is too small. */
function tooCostly(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error;
  return new FhirError('too-costly', {
    text: 'The body takes more memory than is at hand; send a smaller one.',
  });
}
