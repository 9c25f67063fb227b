/** Runs moves in child processes, and kills some of them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const program = resolve(import.meta.dirname, 'move-process.ts');

function startMove(parameters: readonly string[], flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...flags, program, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Exit of a move, with its last printed line. */
interface MoveExit {
  readonly signal: string | null;
  readonly code: number | null;
  readonly lastLine: string;
}

/** Kills the process at each line for which `isKillLine` is true. */
async function waitForExit(child: ChildProcess, isKillLine: (line: string) => boolean): Promise<MoveExit> {
  let lastLine = '';
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    lastLine = line;
    if (isKillLine(line)) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, lastLine: lastLine };
}

/** Kills a move while it waits after its progress report number `count` of a unit. */
export function killMoveAt(from: string, to: string, unit: string, count: number): Promise<MoveExit> {
  return waitForExit(startMove([from, to, unit, String(count)]), (line) => line === 'waits');
}

/** Kills a running move after a number of lines. */
export function killMoveAfter(from: string, to: string, lines: number): Promise<MoveExit> {
  let remainingLines = lines;
  return waitForExit(startMove([from, to]), () => (remainingLines -= 1) === 0);
}

/** Runs a move to its end. */
export function runMove(from: string, to: string, flags: readonly string[] = []): Promise<MoveExit> {
  return waitForExit(startMove([from, to], flags), () => false);
}
