import { parseArgs } from 'node:util';

export interface PageOptions {
  readonly rounds: number;
  /** Keys that are typed in each round. */
  readonly keys: number;
  /** Records that are opened and closed for the last figure of the memory. */
  readonly records: number;
  /** Matches that are scrolled. */
  readonly results: number;
  /** Folder of FHIR packages (.tgz) that our server holds, IPS's Composition chosen; undefined for none. */
  readonly packages: string | undefined;
  /** What to measure; undefined is everything. */
  readonly only: string | undefined;
  /** The report's file; undefined writes none. */
  readonly out: string | undefined;
}

/** Bytes of the large record's text, as it is stored. */
export const recordBytes = 173_000;

/** Records opened and closed before the first figure of the memory. */
export const firstRecords = 20;

/** @throws TypeError for an unknown flag, RangeError for a number that is none. */
export function readPageOptions(args: readonly string[]): PageOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      keys: { type: 'string', default: '200' },
      records: { type: 'string', default: '200' },
      results: { type: 'string', default: '100000' },
      packages: { type: 'string' },
      only: { type: 'string' },
      out: { type: 'string' },
    },
  });
  return {
    rounds: atLeast(1, values.rounds, '--rounds'),
    keys: atLeast(10, values.keys, '--keys'),
    records: atLeast(firstRecords + 1, values.records, '--records'),
    results: atLeast(1000, values.results, '--results'),
    packages: values.packages,
    only: values.only,
    out: values.out,
  };
}

function atLeast(least: number, text: string, flag: string): number {
  const value = Number(text);
  if (value >= least) return value;
  throw new RangeError(`${flag} takes a number of at least ${least}.`);
}
