/**
 * A checker for Stryker that accepts a part of all mutants. Without `sample.places` it rejects all, and its reason
 * names the mutants that the seed selects. With `sample.places` it accepts exactly these.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { CheckStatus, type CheckResult, type Checker } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Either a seed with its share from 0 to 1, or the names of the mutants to try. */
export interface Sample {
  readonly seed: string;
  readonly share: number;
  readonly places?: readonly string[];
}

/** Start of the checker's reason for a mutant that the seed selects. */
export const inSample = 'in the sample ';

type PlacedMutant = Pick<Mutant, 'fileName' | 'location' | 'replacement'>;

/**
 * Returns the name of a mutant: the same on every machine and with any other mutants. Lines and columns count
 * from 0.
 */
export function getMutantName({
  fileName,
  location,
  replacement,
}: PlacedMutant): readonly (string | number)[] {
  const { start, end } = location;
  const name = relative(process.cwd(), fileName).replaceAll('\\', '/');
  return [name, start.line, start.column, end.line, end.column, replacement];
}

/** Returns the position of a mutant among all of a seed, from 0 to 1. */
export function getSamplePosition(mutant: PlacedMutant, seed: string): number {
  const parts = JSON.stringify([seed, ...getMutantName(mutant)]);
  return createHash('sha256').update(parts).digest().readUInt32BE() / 2 ** 32;
}

class SampleChecker implements Checker {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #sample: Sample;
  readonly #places: ReadonlySet<string>;

  constructor(options: StrykerOptions) {
    this.#sample = options.sample as Sample;
    this.#places = new Set(this.#sample.places);
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  check(mutants: readonly Mutant[]): Promise<Record<string, CheckResult>> {
    return Promise.resolve(
      Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#checkMutant(mutant)])),
    );
  }

  #checkMutant(mutant: Mutant): CheckResult {
    const { seed, share } = this.#sample;
    const name = JSON.stringify(getMutantName(mutant));
    if (this.#places.has(name)) return { status: CheckStatus.Passed };
    const isSampled = getSamplePosition(mutant, seed) < share;
    return {
      status: CheckStatus.CompileError,
      reason: isSampled ? `${inSample}${name}` : 'not in the sample',
    };
  }

  /** Returns one group, because no mutant needs a separate check. */
  group(mutants: readonly Mutant[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
