/** Moves that are killed, or let run, in processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const program = resolve(import.meta.dirname, 'move-process.ts');

function begin(given: readonly string[], flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...flags, program, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** How a process ended, and what it said last. */
interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly last: string;
}

/** Kills it at the first line of which `at` says so. */
async function ended(child: ChildProcess, at: (line: string) => boolean): Promise<Ended> {
  let last = '';
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    last = line;
    if (at(line)) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, last };
}

/** Kills a move where it tells for the so manyth time how far a part of the work is, and does nothing more. */
export function killedAt(from: string, to: string, unit: string, count: number): Promise<Ended> {
  return ended(begin([from, to, unit, String(count)]), (line) => line === 'waits');
}

/** Kills a move behind so many lines, while it goes on. */
export function killedBehind(from: string, to: string, lines: number): Promise<Ended> {
  let left = lines;
  return ended(begin([from, to]), () => (left -= 1) === 0);
}

/** Lets a move run to its end. */
export function unkilled(from: string, to: string, flags: readonly string[] = []): Promise<Ended> {
  return ended(begin([from, to], flags), () => false);
}
