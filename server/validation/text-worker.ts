/** Worker of `textPool`. A worker starts from its own entry file. */
import { parentPort } from 'node:worker_threads';
import { doHere, type JobName } from '../fhir/jobs.ts';
import { replyOf, type Reply } from '../store/thread-reply.ts';

/** Job for the worker. Responses come in the order of the jobs. */
export interface ToThread {
  readonly job: JobName;
  readonly jobArguments: readonly unknown[];
}

/** A ready message, then the result of each job. */
export type FromThread = { readonly ready: true } | Reply;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', ({ job, jobArguments }: ToThread) => {
  send(replyOf(() => doHere(job, jobArguments as never)));
});
send({ ready: true });
