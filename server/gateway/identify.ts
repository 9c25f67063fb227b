import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { identify, type ExpectedIdentity, type Identity } from '../../core/api/identity.ts';
import { memoryBudget } from '../memory-budget.ts';

/** Message to the worker. */
export interface IdentityRequest {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedIdentity | undefined;
}

/** Limit in bytes for reading in this thread: 10 ms, or 30 ms if a response is built from it. */
const maxInlineBytes = 256 * 1024;

const thread = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? './identity-worker.ts' : './identity-worker.js',
);

let readQueue: Promise<unknown> = Promise.resolve();

/**
 * Returns the identity of a body. Large bodies are read in a worker, one at a time, while the server
 * handles other requests. Undefined if the body has more values than can be read.
 */
export async function identifyBody(
  body: Buffer,
  expected: ExpectedIdentity | undefined,
): Promise<Identity | undefined> {
  if (!isUtf8(body)) return 'no FHIR';
  if (body.length <= maxInlineBytes) return identify(new TextDecoder().decode(body), expected);
  const identity = readQueue.then(() => inThread({ bytes: body, expected }));
  readQueue = identity;
  return identity;
}

function inThread(request: IdentityRequest): Promise<Identity | undefined> {
  return new Promise((resolve) => {
    const limits = { maxOldGenerationSizeMb: memoryBudget().textHeap };
    const worker = new Worker(thread, { workerData: request, resourceLimits: limits });
    worker.unref();
    const silent = () => resolve(undefined);
    worker.once('message', resolve).once('error', silent).once('exit', silent);
  });
}
