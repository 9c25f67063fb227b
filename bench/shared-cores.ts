/**
 * What a request takes of the processors: in our servers, in the database and in the driver; and what two servers over one
 * store answer beside what one does.
 */
import { median, medianRatio } from './measure.ts';
import type { Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import type { Driver, Server } from './processes.ts';
import { usedBy, usedByAll } from './processor-time.ts';

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
