import type { Driver, Server } from './processes.ts';
import { operationInfos, sizeTolerance, type Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import { warmCache } from './warm.ts';

/** Both servers over the same records. */
export interface Pair {
  readonly records: number;
  readonly sample: string;
  /** The databases of the two servers. */
  readonly files: readonly string[];
  readonly ours: Server;
  readonly bare: Server;
}

/** Requests a second, one number per round. */
export interface Rates {
  readonly ours: number[];
  readonly bare: number[];
}

/** The rates of an operation for each pair, in the order of the pairs. */
export type Figures = ReadonlyMap<Operation, readonly Rates[]>;

/**
 * Duration of the uncounted run before the rounds, as a factor of a measurement. Afterwards the programs are
 * compiled and the pages of the files are cached.
 */
export const warmUpFactor = 2;

/**
 * Number of times that the servers alternate within a round, so that other load of the machine affects all of
 * them.
 */
const slices = 4;

/**
 * Measures every operation on every server. The servers alternate, in reverse order every second time.
 *
 * @throws Error if a response has an unexpected status, or the responses of the two servers differ in size.
 */
export async function measureAll(
  driver: Driver,
  pairs: readonly Pair[],
  { rounds, seconds, seed, selectedOperations }: BenchOptions,
  log: (line: string) => void,
): Promise<Figures> {
  const figures = new Map<Operation, Rates[]>();
  for (const operation of selectedOperations) {
    for (const { files } of pairs) await warmCache(files);
    const rates = pairs.map((): Rates => ({ ours: [], bare: [] }));
    const runs = pairs.flatMap((pair, index) =>
      (['ours', 'bare'] as const).map((name) => ({ pair, name, rates: rates[index]?.[name] ?? [] })),
    );
    const bytes = new Map<(typeof runs)[number], number>();
    const measure = async (round: number, slice: number, sliceSeconds: number) => {
      for (const run of slice % 2 === 0 ? runs : runs.toReversed()) {
        const { port, token } = run.pair[run.name];
        const stream = round * slices + slice;
        const task = { sample: run.pair.sample, port, token, operation, seed, stream, seconds: sliceSeconds };
        const { rate, meanBytes } = await driver.drive(task);
        if (round > 0) run.rates[round - 1] = (run.rates[round - 1] ?? 0) + rate / slices;
        bytes.set(run, meanBytes);
      }
    };
    await measure(0, 0, warmUpFactor * seconds);
    for (let round = 1; round <= rounds; round += 1) {
      for (let slice = 0; slice < slices; slice += 1) await measure(round, slice, seconds / slices);
    }
    for (const [index, run] of runs.entries()) {
      const nextRun = runs[index + 1];
      if (run.name === 'ours' && nextRun)
        compareSizes(operation, bytes.get(run) ?? 0, bytes.get(nextRun) ?? 0);
    }
    log(
      `${operationInfos[operation].title}: ${rates.map(formatRates).join('; ')} (requests a second, ours against bare)`,
    );
    figures.set(operation, rates);
  }
  return figures;
}

function compareSizes(operation: Operation, ours: number, bare: number): void {
  if (Math.abs(ours - bare) <= sizeTolerance * bare) return;
  const sizes = `${Math.round(ours)} bytes against ${Math.round(bare)}`;
  throw new Error(
    `The answers to ${operation} differ in size: ${sizes}. The ratio would compare unlike things.`,
  );
}

function formatRates({ ours, bare }: Rates): string {
  const formatList = (rates: readonly number[]) => rates.map((rate) => Math.round(rate)).join(' ');
  return `${formatList(ours)} against ${formatList(bare)}`;
}

export function median(values: readonly number[]): number {
  const sortedValues = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sortedValues.length / 2);
  const upper = sortedValues[middle] ?? NaN;
  return sortedValues.length % 2 === 1 ? upper : ((sortedValues[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the median of the ratios of the rounds. Other load in a round slows both sides. */
export function medianRatio(numerators: readonly number[], denominators: readonly number[]): number {
  return median(numerators.map((value, round) => value / (denominators[round] ?? NaN)));
}
