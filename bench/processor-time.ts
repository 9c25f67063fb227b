/** Reads the processor time of processes from Linux's `/proc`, and waits for idle servers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { FindAnswer } from '../core/app/find.ts';
import { requestChecked } from './ask.ts';
import type { Server } from './processes.ts';
import { log } from './run.ts';

/** Milliseconds of a tick of the kernel. */
const tickMs = 10;

/** Returns the processor time of a process in milliseconds, including its ended children. */
export function readProcessorMs(pid: number | string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
}

/**
 * Returns the processor time of a process and of its running children, such as PostgreSQL by its postmaster.
 */
export function readGroupProcessorMs(parent: number): number {
  let sum = readProcessorMs(parent);
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent)) sum += readProcessorMs(pid);
    } catch {
      // The process has ended. Its parent has its time.
    }
  }
  return sum;
}

/** Processor time in milliseconds per second below which a server is idle. */
const maxIdleMs = 50;

/**
 * Resolves when a started server is idle. Otherwise the first fill of the finder and the checks of a start
 * would take a core from the measurement.
 */
export async function waitUntilIdle(server: Server): Promise<void> {
  await waitForFinder(server);
  if (!existsSync('/proc')) return;
  for (let previousMs = readProcessorMs(server.pid), usedMs = Infinity; usedMs > maxIdleMs;) {
    await setTimeout(1000);
    const currentMs = readProcessorMs(server.pid);
    [usedMs, previousMs] = [currentMs - previousMs, currentMs];
  }
}

/** Resolves when the finder has indexed all records. */
export async function waitForFinder(server: Server): Promise<void> {
  for (;;) {
    const { behind: backlog } = (await (
      await requestChecked(server, 'GET', '/app/find?q=John')
    ).json()) as FindAnswer;
    if (backlog === 0) return;
    log(`The finder has ${backlog} records before it.`);
    await setTimeout(1000);
  }
}
