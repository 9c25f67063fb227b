/**
 * Measures the processor time of a request in our server, the database and the driver, and compares the rates of two
 * servers over a store with the rates of one.
 */
import { median, medianRatio } from './measure.ts';
import type { Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import type { Driver, Server } from './processes.ts';
import { readProcessorMs, readGroupProcessorMs } from './processor-time.ts';

/** Processor time of a request in milliseconds. */
export interface Cost {
  readonly operation: Operation;
  readonly server: number;
  readonly database: number;
  readonly driver: number;
}

/** Requests a second, one number per round. */
export interface ScalingRates {
  readonly operation: Operation;
  readonly singleRates: readonly number[];
  readonly pairRates: readonly number[];
}

export interface CoresOptions extends Pick<BenchOptions, 'rounds' | 'seconds' | 'seed'> {
  readonly sample: string;
  /** Process id of the database. */
  readonly postmaster: number;
}

/** Measures the cost of operations on one server. */
export async function measureCosts(
  driver: Driver,
  server: Server,
  operations: readonly Operation[],
  { seconds, seed, sample, postmaster }: CoresOptions,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const operation of operations) {
    const { port, token } = server;
    const readUsage = () => [
      readProcessorMs(server.pid),
      readGroupProcessorMs(postmaster),
      readProcessorMs(driver.pid),
    ];
    const task = { sample, port, token, operation, seed, stream: 1000, seconds };
    await driver.drive(task);
    const usageBefore = readUsage();
    const { answers } = await driver.drive({ ...task, stream: 1001 });
    const [serverMs = 0, databaseMs = 0, driverMs = 0] = readUsage().map(
      (usage, index) => (usage - (usageBefore[index] ?? 0)) / answers,
    );
    costs.push({ operation, server: serverMs, database: databaseMs, driver: driverMs });
  }
  return costs;
}

/** Measures the rates of one of two servers, and of both together, in turn. */
export async function measureScaling(
  driver: Driver,
  [firstServer, secondServer]: readonly [Server, Server],
  operations: readonly Operation[],
  { rounds, seconds, seed, sample }: CoresOptions,
): Promise<ScalingRates[]> {
  const results: ScalingRates[] = [];
  for (const operation of operations) {
    const [singleRates, pairRates]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const { port, token } = firstServer;
      const task = { sample, port, token, operation, seed, stream: 2000 + round, seconds };
      const singleResult = await driver.drive(task);
      const pairResult = await driver.drive({ ...task, otherPorts: [secondServer.port] });
      // The first round is a warm-up.
      if (round === 0) continue;
      singleRates.push(singleResult.rate);
      pairRates.push(pairResult.rate);
    }
    results.push({ operation, singleRates, pairRates });
  }
  return results;
}

export function computeScalingRatio({ singleRates, pairRates }: ScalingRates): number {
  return medianRatio(pairRates, singleRates);
}

export function computeMedianRates({
  singleRates,
  pairRates,
}: ScalingRates): readonly [single: number, pair: number] {
  return [median(singleRates), median(pairRates)];
}
