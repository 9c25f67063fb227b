import type { IncomingMessage, ServerResponse } from 'node:http';
import { FhirError } from '../../core/fhir/outcome.ts';
import { memoryBudget, type MemoryBudget } from '../memory-budget.ts';
import { brokenOff } from './body.ts';
import type { Meter } from './metrics.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    bodies?: BodiesUnderWay;
  }
}

/** How many requests wait for room at most, and how many milliseconds: less than a body may take to arrive. */
const queue = { length: 32, time: 10_000 } as const;

/** The share of the memory from which on one large body at a time is let in. */
const pressed = 0.75;

interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Holds the large bodies of a server within its memory, over all connections: what is beyond the room waits in the order in
 * which it came, and is 503 where too much waits, or waits for long. Small bodies (body.ts) are not counted.
 */
export class BodiesUnderWay {
  private held = 0;
  private readonly queue: Waiting[] = [];
  private readonly budget: Pick<MemoryBudget, 'bodies' | 'memory'>;
  private readonly resident: () => number;

  /** Of the page of metrics. */
  readonly meter: Meter = {
    name: 'bodies_held_bytes',
    help: 'Bytes of large bodies whose requests are not answered yet.',
    read: () => this.held,
  };

  /** @param resident - Bytes of memory that the process holds. */
  constructor(budget: Pick<MemoryBudget, 'bodies' | 'memory'> = memoryBudget(), resident?: () => number) {
    this.budget = budget;
    this.resident = resident ?? (() => process.memoryUsage.rss());
  }

  /**
   * Resolves once there is room for a body of so many bytes, which is held until its response is closed.
   *
   * @throws FhirError `crowded` where there is none in time, `malformed` where the client went away.
   */
  async admit(bytes: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.queue.length > 0 || !this.hasRoom(bytes)) await this.turn(bytes, request);
    else this.held += bytes;
    const leave = () => {
      this.held -= bytes;
      this.letIn();
    };
    if (response.closed) leave();
    else response.once('close', leave);
  }

  /** Waits in the queue; what is let in is held. */
  private turn(bytes: number, request: IncomingMessage): Promise<void> {
    if (this.queue.length >= queue.length) throw crowded();
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        request.off('close', gone);
      };
      const waiting: Waiting = {
        bytes,
        enter: () => {
          done();
          resolve();
        },
      };
      const giveUp = (fault: FhirError) => {
        done();
        this.queue.splice(this.queue.indexOf(waiting), 1);
        reject(fault);
        // The next one may be smaller.
        this.letIn();
      };
      const gone = () => giveUp(brokenOff());
      const timer = setTimeout(() => giveUp(crowded()), queue.time);
      request.once('close', gone);
      this.queue.push(waiting);
    });
  }

  private letIn(): void {
    for (let next = this.queue[0]; next && this.hasRoom(next.bytes); next = this.queue[0]) {
      this.queue.shift();
      this.held += next.bytes;
      next.enter();
    }
  }

  /** A single body is let in whatever it takes: nothing else would let it in later. */
  private hasRoom(bytes: number): boolean {
    if (this.held === 0) return true;
    const { bodies, memory } = this.budget;
    return this.held + bytes <= bodies && this.resident() < pressed * memory;
  }
}

function crowded(): FhirError {
  return new FhirError(
    'crowded',
    { text: 'Other large requests take the memory of the server; try again in some seconds.' },
    { 'Retry-After': '5' },
  );
}
