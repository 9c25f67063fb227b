/** A thread of `servicePool`; its own entry, as a thread is started by a file. */
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { createService, type ServiceStore } from '../fhir/service.ts';
import { texts } from '../fhir/texts.ts';
import {
  replyOf,
  resultOf,
  storeCalls,
  type FromThread,
  type Jobs,
  type Reply,
  type ServiceSettings,
  type StoreCall,
  type ToThread,
} from './service-messages.ts';

let now = 0;
/** Takes the store's answer to the question that is open; a job asks one after the other. */
let take: (reply: Reply) => void = () => undefined;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function ask(call: StoreCall, given: readonly unknown[]): Promise<unknown> {
  const answer = new Promise<Reply>((resolve) => {
    take = resolve;
  });
  send({ ask: call, given });
  return resultOf(await answer, () => new Error('The store failed.'));
}

const store = {
  ...Object.fromEntries(storeCalls.map((call) => [call, (...given: unknown[]) => ask(call, given)])),
  derived: { mend: (...given: unknown[]) => ask('mend', given) },
};
const service = createService({
  ...(workerData as ServiceSettings),
  store: store as unknown as ServiceStore,
  clock: () => now,
  newId: randomUUID,
});
const jobs: Jobs = { ...service, ...texts };

parentPort?.on('message', (message: ToThread) => {
  if ('reply' in message) {
    take(message.reply);
    return;
  }
  ({ now } = message);
  const work = jobs[message.job] as (...given: unknown[]) => unknown;
  void replyOf(
    () => Reflect.apply(work, jobs, message.given),
    () => undefined,
  ).then((reply) => send({ reply }));
});
