/**
 * A checker of Stryker's that lets a part of all mutants through. Without `sample.places` it lets none through, and its
 * reason names those that a seed has taken; with them it lets these through.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { CheckStatus, type CheckResult, type Checker } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Either a seed with the share from 0 to 1 that it takes, or the names of the mutants that are tried. */
export interface Sample {
  readonly seed: string;
  readonly share: number;
  readonly places?: readonly string[];
}

/** What the checker says of a mutant that the seed has taken. */
export const inSample = 'in the sample ';

type PlacedMutant = Pick<Mutant, 'fileName' | 'location' | 'replacement'>;

/** A mutant's name: the same on every machine, whatever else is mutated. Lines and columns count from 0. */
export function nameOf({ fileName, location, replacement }: PlacedMutant): readonly (string | number)[] {
  const { start, end } = location;
  const name = relative(process.cwd(), fileName).replaceAll('\\', '/');
  return [name, start.line, start.column, end.line, end.column, replacement];
}

/** Where a mutant lies among all of a seed, from 0 to 1. */
export function placeOf(mutant: PlacedMutant, seed: string): number {
  const parts = JSON.stringify([seed, ...nameOf(mutant)]);
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
    return Promise.resolve(Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#resultOf(mutant)])));
  }

  #resultOf(mutant: Mutant): CheckResult {
    const { seed, share } = this.#sample;
    const name = JSON.stringify(nameOf(mutant));
    if (this.#places.has(name)) return { status: CheckStatus.Passed };
    const taken = placeOf(mutant, seed) < share;
    return { status: CheckStatus.CompileError, reason: taken ? `${inSample}${name}` : 'not in the sample' };
  }

  /** All at once: none needs a look of its own. */
  group(mutants: readonly Mutant[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
