/** A thread of `textPool`; its own entry, as a thread is started by a file. */
import { parentPort } from 'node:worker_threads';
import { doHere } from '../fhir/jobs.ts';
import { replyOf, type FromThread, type ToThread } from './text-messages.ts';

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', ({ job, given }: ToThread) => {
  send(replyOf(() => doHere(job, given as never)));
});
send({ ready: true });
