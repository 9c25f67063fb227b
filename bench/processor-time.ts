/** What processes use of the processors, read from Linux's `/proc`; and when a server has come to rest. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { FindAnswer } from '../core/app/find.ts';
import { ask } from './ask.ts';
import type { Server } from './processes.ts';
import { log } from './run.ts';

/** Milliseconds of one tick of the kernel's count. */
const tick = 10;

/** Processor time in milliseconds that a process has had, with that of its ended children. */
export function usedBy(pid: number | string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tick;
}

/** The same of a process and of its children that run: of PostgreSQL by its first. */
export function usedByAll(parent: number): number {
  let sum = usedBy(parent);
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(parent)) sum += usedBy(pid);
    } catch {
      // It ended meanwhile: its parent has its time.
    }
  }
  return sum;
}

/** Milliseconds of a processor in a second, with fewer of which a server rests. */
const resting = 50;

/**
 * Resolves once a server that was started has nothing left to do by itself: the finder's first fill and the looks of a start
 * would take a core from what is measured.
 */
export async function settled(server: Server): Promise<void> {
  await finderReady(server);
  if (!existsSync('/proc')) return;
  for (let before = usedBy(server.pid), used = Infinity; used > resting;) {
    await setTimeout(1000);
    const now = usedBy(server.pid);
    [used, before] = [now - before, now];
  }
}

/** Resolves once the finder knows all records. */
export async function finderReady(server: Server): Promise<void> {
  for (;;) {
    const { behind } = (await (await ask(server, 'GET', '/app/find?q=John')).json()) as FindAnswer;
    if (behind === 0) return;
    log(`The finder has ${behind} records before it.`);
    await setTimeout(1000);
  }
}
