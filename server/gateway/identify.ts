import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { identify, type Asked, type Identity } from '../../core/api/identity.ts';
import { memoryBudget } from '../memory-budget.ts';

/** What the thread is given. */
export interface IdentityOrder {
  readonly bytes: Uint8Array;
  readonly asked: Asked | undefined;
}

/** Bytes that are read at once: the time of a hundredth of a second, or three where an answer is made for it. */
const atOnce = 256 * 1024;

const thread = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? './identity-thread.ts' : './identity-thread.js',
);

let last: Promise<unknown> = Promise.resolve();

/**
 * What a body is to a request; a large one is read in a thread of its own, one after the other, while other requests are
 * answered. Undefined where it holds more than can be read.
 */
export async function identifyBody(body: Buffer, asked: Asked | undefined): Promise<Identity | undefined> {
  if (!isUtf8(body)) return 'no FHIR';
  if (body.length <= atOnce) return identify(new TextDecoder().decode(body), asked);
  const found = last.then(() => inThread({ bytes: body, asked }));
  last = found;
  return found;
}

function inThread(order: IdentityOrder): Promise<Identity | undefined> {
  return new Promise((answer) => {
    const limits = { maxOldGenerationSizeMb: memoryBudget().textHeap };
    const worker = new Worker(thread, { workerData: order, resourceLimits: limits });
    worker.unref();
    const silent = () => answer(undefined);
    worker.once('message', answer).once('error', silent).once('exit', silent);
  });
}
