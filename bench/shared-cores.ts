/**
 * What a request takes of the processors: in our servers, in the database and in the driver; and what two servers over one
 * store answer beside what one does. Read from Linux's `/proc`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { median, medianRatio } from './measure.ts';
import type { Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import type { Driver, Server } from './processes.ts';

/** Milliseconds of a processor for one request. */
export interface Cost {
  readonly operation: Operation;
  readonly server: number;
  readonly database: number;
  readonly driver: number;
}

/** Requests a second, a number for each round. */
export interface Spread {
  readonly operation: Operation;
  readonly one: readonly number[];
  readonly two: readonly number[];
}

/** Milliseconds of one tick of the kernel's count. */
const tick = 10;

/** Processor time in milliseconds that a process has had, with that of its ended children. */
function usedBy(pid: number | string): number {
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

export interface CoresOptions extends Pick<BenchOptions, 'rounds' | 'seconds' | 'seed'> {
  readonly sample: string;
  /** The database's process. */
  readonly postmaster: number;
}

/** @param operations - What is asked of one server. */
export async function costsOf(
  driver: Driver,
  server: Server,
  operations: readonly Operation[],
  { seconds, seed, sample, postmaster }: CoresOptions,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const operation of operations) {
    const { port, token } = server;
    const used = () => [usedBy(server.pid), usedByAll(postmaster), usedBy(driver.pid)];
    const task = { sample, port, token, operation, seed, stream: 1000, seconds };
    await driver.drive(task);
    const before = used();
    const { answers } = await driver.drive({ ...task, stream: 1001 });
    const [ours = 0, database = 0, drivers = 0] = used().map(
      (now, at) => (now - (before[at] ?? 0)) / answers,
    );
    costs.push({ operation, server: ours, database, driver: drivers });
  }
  return costs;
}

/** What one of two servers answers, and both together, in turn. */
export async function spreadOf(
  driver: Driver,
  [first, second]: readonly [Server, Server],
  operations: readonly Operation[],
  { rounds, seconds, seed, sample }: CoresOptions,
): Promise<Spread[]> {
  const spreads: Spread[] = [];
  for (const operation of operations) {
    const [one, two]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const { port, token } = first;
      const task = { sample, port, token, operation, seed, stream: 2000 + round, seconds };
      const alone = await driver.drive(task);
      const both = await driver.drive({ ...task, others: [second.port] });
      // The first round warms.
      if (round === 0) continue;
      one.push(alone.rate);
      two.push(both.rate);
    }
    spreads.push({ operation, one, two });
  }
  return spreads;
}

export function spreadRatio({ one, two }: Spread): number {
  return medianRatio(two, one);
}

export function ratesOf({ one, two }: Spread): readonly [one: number, two: number] {
  return [median(one), median(two)];
}
