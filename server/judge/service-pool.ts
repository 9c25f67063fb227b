/**
 * Threads beside the one that answers, in which the record service parses and judges what is large. Called by the start
 * of the server. Invariant: a thread has one job at a time, and the store is asked from here alone.
 */
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FhirError } from '../../core/fhir/outcome.ts';
import { type Later, type RecordService, type ServiceStore } from '../fhir/service.ts';
import { LargeText } from '../fhir/version.ts';
import { erasedRecord } from '../fhir/faults.ts';
import { texts, type Texts } from '../fhir/texts.ts';
import type { Erased } from '../store/store.ts';
import {
  replyOf,
  resultOf,
  type FromThread,
  type JobName,
  type Jobs,
  type Reply,
  type ServiceSettings,
  type StoreCall,
  type ToThread,
} from './service-messages.ts';

/**
 * Characters of the largest text that is parsed on the answering thread. A hostile one of this size takes it 50 ms, an
 * ordinary one takes less than the way to a thread and back.
 */
export const largest = 64 * 1024;

/** Threads at most: large bodies wait for each other rather than for the processor. */
const most = 2;

/** Milliseconds without a job after which a thread ends, and gives its memory back. */
const idleTime = 10_000;

/** Megabytes of what lives long in a thread: several times what the largest body makes. */
const heap = 1024;

export interface PoolParts {
  readonly store: ServiceStore;
  readonly settings: ServiceSettings;
  readonly clock: () => number;
  /** Which records are gone for good. */
  readonly erased: Pick<Erased, 'has'>;
}

type Run = <Name extends JobName>(job: Name, ...given: Parameters<Jobs[Name]>) => ReturnType<Jobs[Name]>;

interface Waiting {
  readonly order: Extract<ToThread, { job: unknown }>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  job?: Waiting;
  idle?: NodeJS.Timeout;
  /** What the store threw that does not cross. */
  fault?: unknown;
}

const file = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? './service-thread.ts' : './service-thread.js',
);

export type ServicePool = ReturnType<typeof servicePool>;

export function servicePool({ store, settings, clock, erased }: PoolParts) {
  const threads = new Set<Thread>();
  const queue: Waiting[] = [];

  const run = ((job, ...given) =>
    new Promise<unknown>((resolve, reject) => {
      queue.push({ order: { job, given, now: clock() }, resolve, reject });
      next();
    })) as Run;

  /** Hands out what waits, as long as there is a thread for it. */
  function next(): void {
    while (queue.length > 0) {
      const free = [...threads].find(({ job }) => !job) ?? (threads.size < most ? start() : undefined);
      const job = free && queue.shift();
      if (!free || !job) return;
      clearTimeout(free.idle);
      free.job = job;
      free.worker.postMessage(job.order satisfies ToThread);
    }
  }

  function start(): Thread {
    const worker = new Worker(file, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: heap },
    });
    const thread: Thread = { worker };
    worker.unref();
    threads.add(thread);
    worker.on('message', (message: FromThread) => void hear(thread, message));
    // A thread that fails takes its job along, and no other.
    const gone = (fault: unknown) => {
      threads.delete(thread);
      thread.job?.reject(fault);
      delete thread.job;
      next();
    };
    worker.once('error', (error) => gone(tooCostly(error)));
    worker.once('exit', () => gone(new Error('A thread ended.')));
    return thread;
  }

  async function hear(thread: Thread, message: FromThread): Promise<void> {
    if ('reply' in message) {
      finish(thread, message.reply);
      return;
    }
    const { ask, given } = message;
    const call = (ask === 'mend' ? store.derived.mend : store[ask]) as (
      ...given: unknown[]
    ) => Promise<unknown>;
    const reply = await replyOf(
      () => {
        refuseErased(ask, given);
        return Reflect.apply(call, ask === 'mend' ? store.derived : store, given);
      },
      (fault) => {
        thread.fault = fault;
      },
    );
    thread.worker.postMessage({ reply } satisfies ToThread);
  }

  /** A thread does not know which records were erased: they are refused where it asks for them, or would store them. */
  function refuseErased(ask: StoreCall, given: readonly unknown[]): void {
    const [first, id] = given;
    const record = ask === 'read' ? { type: first, id } : ask === 'insert' ? first : undefined;
    if (record === undefined) return;
    const name = record as Parameters<Erased['has']>[0];
    if (erased.has(name)) throw erasedRecord(name.type);
  }

  function finish(thread: Thread, reply: Reply): void {
    const { job, fault = new Error('A job failed in its thread.') } = thread;
    delete thread.job;
    delete thread.fault;
    try {
      job?.resolve(resultOf(reply, () => fault));
    } catch (error) {
      job?.reject(error);
    }
    thread.idle = setTimeout(() => {
      threads.delete(thread);
      void thread.worker.terminate();
    }, idleTime).unref();
    next();
  }

  return {
    /** What is made of stored texts for answers. */
    texts: {
      format: (text, indent) =>
        either(
          text,
          () => texts.format(text, indent),
          () => run('format', text, indent),
        ),
      project: (text, part) =>
        either(
          text,
          () => texts.project(text, part),
          () => run('project', text, part),
        ),
    } satisfies Texts,

    /** The service, which parses here what is small alone. */
    over(here: RecordService): RecordService {
      return {
        ...here,
        typeOf: (text) =>
          either(
            text,
            () => here.typeOf(text),
            () => run('typeOf', text),
          ),
        validate: (type, text) =>
          either(
            text,
            () => here.validate(type, text),
            () => run('validate', type, text),
          ),
        create: (one) =>
          either(
            one.text,
            () => here.create(one),
            () => run('create', one),
          ),
        update: (one) =>
          either(
            one.text,
            () => here.update(one),
            () => run('update', one),
          ),
        patch: (one) =>
          either(
            one.text,
            () => here.patch(one),
            () => run('patch', one),
          ),
        importRecord: (one) =>
          either(
            one.text,
            () => here.importRecord(one),
            () => run('importRecord', one),
          ),
      };
    },

    async close(): Promise<void> {
      for (const { reject } of queue.splice(0)) reject(new Error('The threads end.'));
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Does here what is small, and in a thread what is large or turns out to be: a small patch of a large record. */
async function either<Result>(
  text: string,
  here: () => Later<Result>,
  inThread: () => Later<Result>,
): Promise<Result> {
  if (text.length > largest) return inThread();
  try {
    return await here();
  } catch (error) {
    if (error instanceof LargeText) return inThread();
    throw error;
  }
}

/** A body for which the memory of a thread is too small. */
function tooCostly(error: unknown): unknown {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new FhirError('too-costly', {
    text: 'The body takes more memory than is at hand; send a smaller one.',
  });
}
