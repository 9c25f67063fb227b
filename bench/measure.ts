import type { Driver, Server } from './processes.ts';
import { measured, sizeTolerance, type Operation } from './operations.ts';
import type { BenchOptions } from './options.ts';
import { warm } from './warm.ts';

/** Both servers over the same records. */
export interface Pair {
  readonly records: number;
  readonly sample: string;
  /** The two servers' databases. */
  readonly files: readonly string[];
  readonly ours: Server;
  readonly bare: Server;
}

/** Requests a second, a number for each round. */
export interface Rates {
  readonly ours: number[];
  readonly bare: number[];
}

/** The rates of an operation for each pair, in the pairs' order. */
export type Figures = ReadonlyMap<Operation, readonly Rates[]>;

/**
 * How many times as long as a measurement each operation and server runs before the rounds, not counted: until the
 * programs are compiled and the files' pages are at hand.
 */
export const warmUp = 2;

/** The servers take turns so many times within a round: what else the machine does meets all of them. */
const slices = 4;

/**
 * Measures every operation on every server, the servers in turn and the other way round the next time.
 *
 * @throws Error where an answer has another status than expected, or the two servers' answers differ in size.
 */
export async function measureAll(
  driver: Driver,
  pairs: readonly Pair[],
  { rounds, seconds, seed, only }: BenchOptions,
  log: (line: string) => void,
): Promise<Figures> {
  const figures = new Map<Operation, Rates[]>();
  for (const operation of only) {
    for (const { files } of pairs) await warm(files);
    const rates = pairs.map((): Rates => ({ ours: [], bare: [] }));
    const turns = pairs.flatMap((pair, index) =>
      (['ours', 'bare'] as const).map((name) => ({ pair, name, rates: rates[index]?.[name] ?? [] })),
    );
    const bytes = new Map<(typeof turns)[number], number>();
    const measure = async (round: number, slice: number, time: number) => {
      for (const turn of slice % 2 === 0 ? turns : turns.toReversed()) {
        const { port, token } = turn.pair[turn.name];
        const stream = round * slices + slice;
        const task = { sample: turn.pair.sample, port, token, operation, seed, stream, seconds: time };
        const { rate, meanBytes } = await driver.drive(task);
        if (round > 0) turn.rates[round - 1] = (turn.rates[round - 1] ?? 0) + rate / slices;
        bytes.set(turn, meanBytes);
      }
    };
    await measure(0, 0, warmUp * seconds);
    for (let round = 1; round <= rounds; round += 1) {
      for (let slice = 0; slice < slices; slice += 1) await measure(round, slice, seconds / slices);
    }
    for (const [index, turn] of turns.entries()) {
      const other = turns[index + 1];
      if (turn.name === 'ours' && other) compareSizes(operation, bytes.get(turn) ?? 0, bytes.get(other) ?? 0);
    }
    log(
      `${measured[operation].title}: ${rates.map(sayRates).join('; ')} (requests a second, ours against bare)`,
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

function sayRates({ ours, bare }: Rates): string {
  const say = (rates: readonly number[]) => rates.map((rate) => Math.round(rate)).join(' ');
  return `${say(ours)} against ${say(bare)}`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The median of the rounds' ratios: what slows the machine for a round slows both of its sides. */
export function medianRatio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, round) => value / (below[round] ?? NaN)));
}
