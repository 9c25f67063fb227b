import type { IncomingMessage } from 'node:http';
import type { GenericSchema } from 'valibot';
import type { Check } from '../../core/app/check.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import { FhirError, type Problem } from '../../core/fhir/outcome.ts';
import { readJson } from '../../core/fhir/record.ts';
import { serializeNode } from '../../core/json/node.ts';
import { matchesSchema, type Shape } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget, type MemoryBudget } from '../memory-budget.ts';
import type { ApiRequest, BodyReader } from './request.ts';

const messages = defineMessages('body', {
  encoded: 'Send the body without Content-Encoding.',
  cutOff: 'The request was cut off. Send it again.',
  tooLarge: 'The body is larger than {bytes} bytes.',
});

const limitMessages = defineMessages('bodies', {
  crowded: 'Other large requests are using the server’s memory. Try again in a few seconds.',
});

/** Bytes of the largest body that never waits. */
const smallBodyBytes = 64 * 1024;

/**
 * Creates a reader of bodies of at most `limit` bytes. Authorization comes first.
 *
 * A large body waits after its first bytes until there is space.
 *
 * @param bodies - Limit of large bodies. Undefined if `limit` allows none.
 * @throws FhirError `too-large`, `crowded` if no space becomes free in time, `media-type` for a
 *   Content-Encoding, `malformed` for a truncated body.
 */
export function createBodyReader(limit: number, bodies?: PendingBodies): BodyReader {
  return async (request) => {
    const {
      'content-length': length,
      'transfer-encoding': encoding,
      'content-encoding': coding,
    } = request.headers;
    if (length === undefined && encoding === undefined) return;
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      throw new FhirError('media-type', {
        ...messages.encoded(),
        location: 'http.Content-Encoding',
      });
    }
    const bytes = Number(length ?? 0) > limit ? undefined : await readBytes(request, limit, bodies);
    if (bytes === undefined) throw await createTooLargeError(request, limit);
    request.body = bytes;
  };
}

/** Reads the body. Resolves to undefined if it exceeds `limit`. */
function readBytes(
  request: ApiRequest,
  limit: number,
  bodies: PendingBodies | undefined,
): Promise<Buffer | undefined> {
  const { incoming } = request;
  const declared = Number(incoming.headers['content-length'] ?? limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isAdmitted = false;
    const enter = async () => {
      isAdmitted = true;
      incoming.pause();
      await bodies?.admit(declared, request);
      incoming.resume();
    };
    const stopReading = () =>
      incoming.off('data', handleData).off('end', handleEnd).off('close', handleClose);
    const handleData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) {
        stopReading();
        resolve(undefined);
      } else if (length > smallBodyBytes && !isAdmitted) {
        const entering = enter();
        entering.catch(async () => {
          stopReading();
          await discardBody(incoming, limit);
          resolve(entering.then(() => undefined));
        });
      }
    };
    const handleEnd = () => {
      stopReading();
      const [singleChunk] = chunks;
      resolve(singleChunk && chunks.length === 1 ? singleChunk : Buffer.concat(chunks, length));
    };
    const handleClose = () => {
      reject(createTruncatedBodyError());
    };
    incoming.on('data', handleData).on('end', handleEnd).on('close', handleClose);
  });
}

/** Returns the error of a body that its client did not finish. */
export function createTruncatedBodyError(): FhirError {
  return new FhirError('malformed', messages.cutOff());
}

/** Limits of discarding a large body: a multiple of its limit, and milliseconds. */
const discardLimits = { times: 4, milliseconds: 2000 };

/**
 * Returns the rejection of a large body (row 86).
 *
 * Discards the remaining bytes first, up to a limit. A client sends its body before it reads the response,
 * so an early close would hide the response.
 */
export async function createTooLargeError({ incoming }: ApiRequest, limit: number): Promise<FhirError> {
  await discardBody(incoming, limit);
  return new FhirError(
    'too-large',
    messages.tooLarge({ bytes: limit }),
    incoming.complete ? {} : { Connection: 'close' },
  );
}

/** Discards the remaining bytes of a body, up to a limit. */
async function discardBody(request: IncomingMessage, limit: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let remainingBytes = discardLimits.times * limit;
    const timer = setTimeout(finish, discardLimits.milliseconds);
    function handleData(chunk: Buffer) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) finish();
    }
    function finish() {
      clearTimeout(timer);
      request.off('data', handleData).off('end', finish).off('close', finish);
      resolve();
    }
    request.on('data', handleData).on('end', finish).on('close', finish).resume();
  });
}

/**
 * Returns the parsed body of an app request.
 *
 * @param name - Prefix of the expressions in errors.
 * @throws FhirError `media-type`, `malformed`, `too-deep` or `too-large`.
 */
export function parseJsonBody(request: ApiRequest, name: string): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  return JSON.parse(serializeNode(readJson(request.readText(), name)));
}

/**
 * Returns the parsed body if it matches the schema.
 *
 * @throws FhirError `value` with the problem otherwise, and like {@link parseJsonBody}.
 */
export function parseBodyAs<Schema extends GenericSchema>(
  request: ApiRequest,
  name: string,
  schema: Schema,
  problem: Problem,
): Shape<Schema> {
  const body = parseJsonBody(request, name);
  if (matchesSchema(schema, body)) return body;
  throw new FhirError('value', problem);
}

/**
 * Returns the value of a successful check.
 *
 * @throws FhirError `value` with each problem.
 */
export function getCheckedValue<Value>(result: Check<Value>): Value {
  if ('problems' in result) throw new FhirError('value', result.problems);
  return result.value;
}

/** Limits of the queue: requests and milliseconds. The time is shorter than a body may take to arrive. */
const queueLimits = { length: 32, time: 10_000 } as const;

/** Share of memory above which large bodies are admitted one at a time. */
const memoryPressure = 0.75;

interface QueuedBody {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Limits the memory of large bodies over all connections. Small bodies are not counted.
 *
 * Bodies beyond the limit wait in order. A full queue or a long wait is a 503.
 */
export class PendingBodies {
  private reservedBytes = 0;
  private readonly queue: QueuedBody[] = [];
  private readonly budget: Pick<MemoryBudget, 'bodies' | 'memory'>;
  private readonly resident: () => number;

  /** Metric of the bytes in memory. */
  readonly meter = {
    name: 'bodies_held_bytes',
    help: 'Bytes of large bodies whose requests are not answered yet.',
    readValue: () => this.reservedBytes,
  };

  /** @param resident - Bytes of memory that the process holds. */
  constructor(budget: Pick<MemoryBudget, 'bodies' | 'memory'> = memoryBudget(), resident?: () => number) {
    this.budget = budget;
    this.resident = resident ?? (() => process.memoryUsage.rss());
  }

  /**
   * Resolves if a body of `bytes` fits. The bytes stay reserved until the response closes.
   *
   * @throws FhirError `crowded` if no space becomes free in time, `malformed` if the client disconnects.
   */
  async admit(bytes: number, request: ApiRequest): Promise<void> {
    if (this.queue.length > 0 || !this.hasRoom(bytes)) await this.waitInQueue(bytes, request.incoming);
    else this.reservedBytes += bytes;
    request.onClosed(() => {
      this.reservedBytes -= bytes;
      this.admitNext();
    });
  }

  /** Waits in the queue. An admitted body is already reserved. */
  private waitInQueue(bytes: number, incoming: IncomingMessage): Promise<void> {
    if (this.queue.length >= queueLimits.length) throw createCrowdedError();
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        incoming.off('close', handleClose);
      };
      const entry: QueuedBody = {
        bytes,
        enter: () => {
          stopWaiting();
          resolve();
        },
      };
      const giveUp = (error: FhirError) => {
        stopWaiting();
        this.queue.splice(this.queue.indexOf(entry), 1);
        reject(error);
        // The next body may be smaller.
        this.admitNext();
      };
      const handleClose = () => giveUp(createTruncatedBodyError());
      const timer = setTimeout(() => giveUp(createCrowdedError()), queueLimits.time);
      incoming.once('close', handleClose);
      this.queue.push(entry);
    });
  }

  private admitNext(): void {
    for (let next = this.queue[0]; next && this.hasRoom(next.bytes); next = this.queue[0]) {
      this.queue.shift();
      this.reservedBytes += next.bytes;
      next.enter();
    }
  }

  /** Returns true if a body fits. A single body always fits, because nothing would admit it later. */
  private hasRoom(bytes: number): boolean {
    if (this.reservedBytes === 0) return true;
    const { bodies, memory } = this.budget;
    return this.reservedBytes + bytes <= bodies && this.resident() < memoryPressure * memory;
  }
}

function createCrowdedError(): FhirError {
  return new FhirError('crowded', limitMessages.crowded(), { 'Retry-After': '5' });
}
