import type { IncomingMessage, ServerResponse } from 'node:http';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget, type MemoryBudget } from '../memory-budget.ts';
import { createTruncatedBodyError } from './body.ts';
import type { Meter } from './metrics.ts';

const messages = defineMessages('bodies', {
  crowded: 'Other large requests are using the server’s memory. Try again in a few seconds.',
});

declare module 'express-serve-static-core' {
  interface Locals {
    bodies?: PendingBodies;
  }
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
 * Limits the memory of large bodies over all connections. Small bodies (body.ts) are not counted.
 *
 * Bodies beyond the limit wait in order. A full queue or a long wait is a 503.
 */
export class PendingBodies {
  private reservedBytes = 0;
  private readonly queue: QueuedBody[] = [];
  private readonly budget: Pick<MemoryBudget, 'bodies' | 'memory'>;
  private readonly resident: () => number;

  /** Metric of the bytes in memory. */
  readonly meter: Meter = {
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
  async admit(bytes: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.queue.length > 0 || !this.hasRoom(bytes)) await this.waitInQueue(bytes, request);
    else this.reservedBytes += bytes;
    const release = () => {
      this.reservedBytes -= bytes;
      this.admitNext();
    };
    if (response.closed) release();
    else response.once('close', release);
  }

  /** Waits in the queue. An admitted body is already reserved. */
  private waitInQueue(bytes: number, request: IncomingMessage): Promise<void> {
    if (this.queue.length >= queueLimits.length) throw createCrowdedError();
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        request.off('close', handleClose);
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
      request.once('close', handleClose);
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
  return new FhirError('crowded', messages.crowded(), { 'Retry-After': '5' });
}
