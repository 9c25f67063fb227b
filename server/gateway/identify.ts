import { isUtf8 } from 'node:buffer';
import { identify, type ExpectedIdentity, type Identity } from '../../core/api/identity.ts';
import { memoryBudget } from '../memory-budget.ts';
import { threadFile, ThreadPool } from '../threads/thread-pool.ts';
import type { IdentityHandlers } from './identity-worker.ts';

/** Limit in bytes for reading in this thread: 10 ms, or 30 ms if a response is built from it. */
const maxInlineBytes = 256 * 1024;

/** Large bodies are read one at a time, and the memory is freed after the last one. */
const pool = new ThreadPool<IdentityHandlers>(threadFile(import.meta, 'identity-worker'), {
  heap: memoryBudget().textHeap,
  idleMs: 0,
});

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
  return pool.ask('identify', [body, expected]).catch(() => undefined);
}
