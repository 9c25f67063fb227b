/** A thread of `textPool`; its own entry, as a thread is started by a file. */
import { parentPort } from 'node:worker_threads';
import { doHere, type JobName } from '../fhir/jobs.ts';
import { replyOf, type Reply } from '../store/thread-reply.ts';

/** What a thread is asked to do; it answers in order. */
export interface ToThread {
  readonly job: JobName;
  readonly given: readonly unknown[];
}

/** That a thread can work, then what each job came to. */
export type FromThread = { readonly ready: true } | Reply;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', ({ job, given }: ToThread) => {
  send(replyOf(() => doHere(job, given as never)));
});
send({ ready: true });
