import { setImmediate } from 'node:timers/promises';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { memoryBudget } from '../memory-budget.ts';
import type { Meter } from './metrics.ts';

const messages = defineMessages('answers', {
  crowded: 'The server is waiting for other clients to read their responses. Try again in a few seconds.',
});

declare module 'express-serve-static-core' {
  interface Locals {
    pendingResponses?: PendingResponses;
  }
}

/** Limits the bytes of responses that clients have not read yet, over all connections. */
export class PendingResponses {
  private pendingBytes = 0;
  private lastTurn: Promise<void> = Promise.resolve();
  private readonly maxBytes: number;

  /** Metric of the unread bytes. */
  readonly meter: Meter = {
    name: 'answers_held_bytes',
    help: 'Bytes of responses that clients have not read yet.',
    readValue: () => this.pendingBytes,
  };

  constructor(maxBytes: number = memoryBudget().answers) {
    this.maxBytes = maxBytes;
  }

  /** @throws FhirError `crowded` if a response of `bytes` exceeds the limit. */
  admit(bytes: number): void {
    if (this.pendingBytes + bytes <= this.maxBytes) return;
    throw new FhirError('crowded', messages.crowded(), { 'Retry-After': '5' });
  }

  /** Resolves when a large text may be read: one per turn, so that many streams never read at once. */
  waitForTurn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(() => setImmediate());
    return this.lastTurn;
  }

  /** Counts unread bytes. A negative number releases them. */
  addPending(bytes: number): void {
    this.pendingBytes += bytes;
  }
}
