import { setImmediate } from 'node:timers/promises';
import { FhirError } from '../../core/fhir/outcome.ts';
import { memoryBudget } from '../memory-budget.ts';
import type { Meter } from './metrics.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    underWay?: AnswersUnderWay;
  }
}

/** Counts the bytes of a server's answers that their readers have not taken yet, over all connections. */
export class AnswersUnderWay {
  private held = 0;
  private last: Promise<void> = Promise.resolve();
  private readonly most: number;

  /** Of the page of metrics. */
  readonly meter: Meter = {
    name: 'answers_held_bytes',
    help: 'Bytes of answers that their readers have not taken yet.',
    read: () => this.held,
  };

  constructor(most: number = memoryBudget().answers) {
    this.most = most;
  }

  /** @throws FhirError `crowded` where an answer of so many bytes would be too much. */
  admit(bytes: number): void {
    if (this.held + bytes <= this.most) return;
    throw new FhirError(
      'crowded',
      { text: 'Other clients have not read what was answered to them; try again in some seconds.' },
      { 'Retry-After': '5' },
    );
  }

  /** Resolves when a large text may be read: one in each turn of the server, or many streams would read theirs at once. */
  turn(): Promise<void> {
    this.last = this.last.then(() => setImmediate());
    return this.last;
  }

  /** Counts bytes that are held from now on; fewer where negative. */
  hold(bytes: number): void {
    this.held += bytes;
  }
}
