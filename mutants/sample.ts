/** A checker of Stryker's that lets a seeded share of all mutants through: the others are counted as not in the sample. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { CheckStatus, type CheckResult, type Checker } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Where a mutant lies among all of a seed, from 0 to 1: the same on every machine, whatever else is mutated. */
export function placeOf({ fileName, location, replacement }: PlacedMutant, seed: string): number {
  const { start, end } = location;
  const name = relative(process.cwd(), fileName).replaceAll('\\', '/');
  const parts = [seed, name, start.line, start.column, end.line, end.column, replacement];
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUInt32BE() / 2 ** 32;
}

type PlacedMutant = Pick<Mutant, 'fileName' | 'location' | 'replacement'>;

class SampleChecker implements Checker {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #seed: string;
  readonly #share: number;

  constructor(options: StrykerOptions) {
    const { seed, share } = options.sample as { seed: string; share: number };
    this.#seed = seed;
    this.#share = share;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  check(mutants: readonly Mutant[]): Promise<Record<string, CheckResult>> {
    const entries = mutants.map((mutant): [string, CheckResult] => [
      mutant.id,
      placeOf(mutant, this.#seed) < this.#share
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' },
    ]);
    return Promise.resolve(Object.fromEntries(entries));
  }

  /** All at once: none needs a look of its own. */
  group(mutants: readonly Mutant[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
