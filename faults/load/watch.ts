import { setTimeout } from 'node:timers/promises';
import { FaultError } from '../fault-case.ts';
import type { FaultServer } from '../server.ts';
import { readMemoryBytes } from './process-state.ts';
import { openReader, Timings } from './timings.ts';

/** Milliseconds between two requests. */
const intervalMs = 5;

/** Milliseconds to wait for the exit of a process whose connections broke. */
const exitWaitMs = 1000;

/** Durations that another client measured, and the memory of the server. */
export interface WatchResult {
  readonly times: Timings;
  /** Highest value in bytes. */
  readonly maxMemoryBytes: number;
}

/**
 * Requests an address again and again and measures the memory of the server until the work is done.
 *
 * @throws the error of the work, or FaultError if the server ended.
 */
export async function watchServer(
  server: FaultServer,
  path: string,
  work: Promise<unknown>,
): Promise<WatchResult> {
  const reader = openReader(server);
  const times = new Timings();
  let maxMemoryBytes = 0;
  const state = { done: false };
  const finish = () => {
    state.done = true;
  };
  work.then(finish, finish);
  try {
    while (!state.done) {
      times.add(await reader.time(path));
      maxMemoryBytes = Math.max(maxMemoryBytes, readMemoryBytes(server.pid));
      await setTimeout(intervalMs);
    }
    await work;
  } catch (error) {
    // A connection breaks a moment before its process ends.
    const exitCode = await Promise.race([server.exitCode, setTimeout(exitWaitMs)]);
    throw exitCode === undefined
      ? error
      : new FaultError(`The server ended meanwhile, with code ${exitCode}: ${server.stderr()}`);
  } finally {
    reader.close();
  }
  return { times, maxMemoryBytes };
}
