import { setTimeout } from 'node:timers/promises';
import type { FaultServer } from '../server.ts';
import { memoryOf } from './process-state.ts';
import { openReader, Timings } from './timings.ts';

/** Milliseconds between two requests. */
const pause = 5;

/** What another client sees, and what the server holds, while something is done to it. */
export interface Watched {
  readonly times: Timings;
  /** Bytes, at most. */
  readonly memory: number;
}

/** Asks a server for an address again and again, and looks at its memory, until the work is done. */
export async function watch(server: FaultServer, path: string, work: Promise<unknown>): Promise<Watched> {
  const reader = openReader(server);
  const times = new Timings();
  let memory = 0;
  const state = { done: false };
  const ended = work.finally(() => {
    state.done = true;
  });
  while (!state.done) {
    times.add(await reader.time(path));
    memory = Math.max(memory, memoryOf(server.pid));
    await setTimeout(pause);
  }
  reader.close();
  await ended;
  return { times, memory };
}
