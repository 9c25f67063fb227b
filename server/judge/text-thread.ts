/** A thread of `textPool`; its own entry, as a thread is started by a file. */
import { parentPort } from 'node:worker_threads';
import { jobs } from '../fhir/jobs.ts';
import { replyOf, type FromThread, type ToThread } from './text-messages.ts';

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', ({ job, given }: ToThread) => {
  const work = jobs[job] as (...given: readonly unknown[]) => unknown;
  send(replyOf(() => work(...given)));
});
send({ ready: true });
