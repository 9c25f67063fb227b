import { setTimeout } from 'node:timers/promises';
import { FaultError } from '../fault-case.ts';
import type { FaultServer } from '../server.ts';
import { memoryOf } from './process-state.ts';
import { openReader, Timings } from './timings.ts';

/** Milliseconds between two requests. */
const pause = 5;

/** Milliseconds to wait for the end of a process after its connection broke. */
const exitDelay = 1000;

/** What another client sees, and what the server holds, while something is done to it. */
export interface Watched {
  readonly times: Timings;
  /** Bytes, at most. */
  readonly memory: number;
}

/**
 * Asks a server for an address again and again, and looks at its memory, until the work is done.
 * @throws FaultError if the server ended; otherwise the error of the work or of a request.
 */
export async function watch(server: FaultServer, path: string, work: Promise<unknown>): Promise<Watched> {
  const reader = openReader(server);
  const times = new Timings();
  let memory = 0;
  const state = { done: false };
  const done = () => {
    state.done = true;
  };
  work.then(done, done);
  try {
    while (!state.done) {
      times.add(await reader.time(path));
      memory = Math.max(memory, memoryOf(server.pid));
      await setTimeout(pause);
    }
    await work;
  } catch (error) {
    // A connection breaks a moment before its process is gone.
    const end = await Promise.race([server.ended, setTimeout(exitDelay)]);
    throw end === undefined
      ? error
      : new FaultError(`The server ended meanwhile, with code ${end}: ${server.said()}`);
  } finally {
    reader.close();
  }
  return { times, memory };
}
