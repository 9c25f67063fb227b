import { parseArgs } from 'node:util';
import { operations, type Operation } from './operations.ts';

export interface BenchOptions {
  /** Records in the small store. */
  readonly records: number;
  /** Records in the large store. 0 skips it. */
  readonly large: number;
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Measured operations, in the order of {@link operations}. */
  readonly selectedOperations: readonly Operation[];
  /** Seed of the records and of the order of requests. */
  readonly seed: number;
  /** File of the report. Undefined writes none. */
  readonly out: string | undefined;
  /** Folder of reusable stores. Undefined fills new stores each time. */
  readonly stores: string | undefined;
  /** Folder for CPU profiles of the built server. Undefined writes none. */
  readonly profile: string | undefined;
}

/** Number of open connections, each with one pending request. */
export const connections = 8;

/**
 * Parses the command line.
 *
 * @throws TypeError for an unknown flag, RangeError for an invalid number.
 */
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
    records: parseNumber(1000, values.records, '--records'),
    large: values.large === '0' ? 0 : parseNumber(1000, values.large, '--large'),
    rounds: parseNumber(1, values.rounds, '--rounds'),
    seconds: parseNumber(0.1, values.seconds, '--seconds'),
    seed: parseNumber(0, values.seed, '--seed'),
    selectedOperations: parseOperations(values.only),
    out: values.out,
    stores: values.stores,
    profile: values.profile,
  };
}

function parseOperations(listText: string): readonly Operation[] {
  const names = listText.split(',');
  const unknown = names.find((name) => !operations.some((operation) => operation === name));
  if (unknown === undefined) return operations.filter((operation) => names.includes(operation));
  throw new RangeError(`--only takes ${operations.join(', ')}; ${unknown} is none of them.`);
}

function parseNumber(minimum: number, text: string, flag: string): number {
  const value = Number(text);
  if (value >= minimum) return value;
  throw new RangeError(`${flag} takes a number of at least ${minimum}.`);
}
