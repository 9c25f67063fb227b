import { parseArgs } from 'node:util';

export interface PageOptions {
  readonly rounds: number;
  /** Keys typed in each round. */
  readonly keys: number;
  /** Records opened and closed before the last memory figure. */
  readonly records: number;
  /** Matches to scroll through. */
  readonly results: number;
  /** Folder of FHIR packages (.tgz) for our server, with IPS's Composition selected. Undefined for none. */
  readonly packages: string | undefined;
  /** Name of the measurement. Undefined selects all. */
  readonly measurement: string | undefined;
  /** File of the report. Undefined writes none. */
  readonly out: string | undefined;
}

/** Bytes of the stored text of the large record. */
export const recordBytes = 173_000;

/** Records opened and closed before the first memory figure. */
export const firstRecordCount = 20;

/**
 * Parses the command line.
 *
 * @throws TypeError for an unknown flag, RangeError for an invalid number.
 */
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
    rounds: parseNumber(1, values.rounds, '--rounds'),
    keys: parseNumber(10, values.keys, '--keys'),
    records: parseNumber(firstRecordCount + 1, values.records, '--records'),
    results: parseNumber(1000, values.results, '--results'),
    packages: values.packages,
    measurement: values.only,
    out: values.out,
  };
}

function parseNumber(minimum: number, text: string, flag: string): number {
  const value = Number(text);
  if (value >= minimum) return value;
  throw new RangeError(`${flag} takes a number of at least ${minimum}.`);
}
