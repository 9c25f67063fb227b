import { parseArgs } from 'node:util';
import { operations, type Operation } from './operations.ts';

export interface BenchOptions {
  /** Records in the small store. */
  readonly records: number;
  /** Records in the large store; 0 leaves it out. */
  readonly large: number;
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** What is measured, in the order of {@link operations}. */
  readonly only: readonly Operation[];
  /** Seed of the records and of the order in which they are asked for. */
  readonly seed: number;
  /** The report's file; undefined writes none. */
  readonly out: string | undefined;
  /** Folder of filled stores that is kept and used again; undefined fills new ones each time. */
  readonly stores: string | undefined;
  /** Folder for CPU profiles of the built server; undefined makes none. */
  readonly profile: string | undefined;
}

/** Connections that stay open, each with one request under way. */
export const connections = 8;

/** @throws TypeError for an unknown flag, RangeError for a number that is none. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      records: { type: 'string', default: '10000' },
      large: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: operations.join(',') },
      out: { type: 'string' },
      stores: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  return {
    records: atLeast(1000, values.records, '--records'),
    large: values.large === '0' ? 0 : atLeast(1000, values.large, '--large'),
    rounds: atLeast(1, values.rounds, '--rounds'),
    seconds: atLeast(0.1, values.seconds, '--seconds'),
    seed: atLeast(0, values.seed, '--seed'),
    only: operationsOf(values.only),
    out: values.out,
    stores: values.stores,
    profile: values.profile,
  };
}

function operationsOf(list: string): readonly Operation[] {
  const names = list.split(',');
  const unknown = names.find((name) => !operations.some((operation) => operation === name));
  if (unknown === undefined) return operations.filter((operation) => names.includes(operation));
  throw new RangeError(`--only takes ${operations.join(', ')}; ${unknown} is none of them.`);
}

function atLeast(least: number, text: string, flag: string): number {
  const value = Number(text);
  if (value >= least) return value;
  throw new RangeError(`${flag} takes a number of at least ${least}.`);
}
