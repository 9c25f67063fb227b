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
    underWay?: PendingResponses;
  }
}

/** Limits the bytes of responses that clients have not read yet, over all connections. */
export class PendingResponses {
  private held = 0;
  private last: Promise<void> = Promise.resolve();
  private readonly most: number;

  /** Metric of the unread bytes. */
  readonly meter: Meter = {
    name: 'answers_held_bytes',
    help: 'Bytes of answers that their readers have not taken yet.',
    read: () => this.held,
  };

  constructor(maxBytes: number = memoryBudget().answers) {
    this.most = maxBytes;
  }

  /** @throws FhirError `crowded` if a response of `bytes` exceeds the limit. */
  admit(bytes: number): void {
    if (this.held + bytes <= this.most) return;
    throw new FhirError('crowded', messages.crowded(), { 'Retry-After': '5' });
  }

  /** Resolves when a large text may be read: one per turn, so that many streams never read at once. */
  turn(): Promise<void> {
    this.last = this.last.then(() => setImmediate());
    return this.last;
  }

  /** Counts unread bytes. A negative number releases them. */
  hold(bytes: number): void {
    this.held += bytes;
  }
}
