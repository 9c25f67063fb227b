/**
 * Tries mutants in one set of tests after another. Each set only gets the mutants that earlier sets did not
 * notice.
 */
import { readFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { inSample, type Sample } from './sample.ts';
import { tryInBrowser } from './browser-look.ts';
import { noticedStatuses, unnoticedStatuses, type TriedMutant } from './score-section.ts';

/** A set of tests. */
export interface TestSet {
  readonly name: string;
  /** The pattern of its files. */
  readonly tests: string;
  /** The pattern of files that belong to another set. */
  readonly excluded?: string;
  /** True if they run in a page. */
  readonly browser?: true;
}

/** The quickest test. It covers none of the measured folders. */
const quickest: TestSet = { name: 'quickest', tests: 'mutants/score.test.ts' };

/** A mutant as Stryker reports it. Lines and columns count from 1. */
interface Result extends Omit<TriedMutant, 'by' | 'original'> {
  readonly statusReason?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

type MutantLocation = Pick<TriedMutant, 'fileName' | 'location' | 'replacement'>;

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Mutants that run when a module is loaded are skipped: each would load every test again. */
async function run(testSet: TestSet, mutate: readonly string[], sample: Sample): Promise<readonly Result[]> {
  process.env.MUTATED_TESTS = testSet.tests;
  process.env.MUTATED_WITHOUT = testSet.excluded ?? '';
  return new Stryker({
    mutate: [...mutate],
    testRunner: 'vitest',
    vitest: { configFile: 'mutants/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', './mutants/sample.ts'],
    checkers: ['sample'],
    sample,
    ignorePatterns: ['/dist', '/release'],
    ignoreStatic: true,
    disableTypeChecks: false,
    concurrency: 1,
    // A busy machine only takes longer.
    dryRunTimeoutMinutes: 120,
    timeoutMS: 30_000,
    timeoutFactor: 3,
    reporters: ['progress-append-only'],
    warnings: false,
    cleanTempDir: 'always',
  }).runMutationTest();
}

interface SampledMutant extends TriedMutant {
  /** Name of the mutant in the sample. */
  readonly place: string;
}

/** Returns the mutants of the sample by name. */
async function drawSample(mutate: readonly string[], sample: Sample): Promise<Map<string, SampledMutant>> {
  const mutants = await run(quickest, mutate, sample);
  const sampledMutants = mutants.filter(({ statusReason }) => statusReason?.startsWith(inSample));
  return new Map(
    sampledMutants.map(({ statusReason = '', ...mutant }) => {
      const place = statusReason.slice(inSample.length);
      return [place, { ...mutant, place, original: readOriginal(mutant), status: 'NoCoverage' }];
    }),
  );
}

/** Returns how each change ended in tests that Stryker runs, by its name in the sample. */
async function tryInNode(
  testSet: TestSet,
  sample: Sample,
  remainingMutants: readonly SampledMutant[],
): Promise<Map<string, string>> {
  const places = remainingMutants.map(({ place }) => place);
  const byKey = new Map(remainingMutants.map((mutant) => [createKey(mutant), mutant.place]));
  const results = await run(testSet, places.map(toRange), { ...sample, places });
  return new Map(
    results.flatMap((result) => {
      const place = byKey.get(createKey(result));
      return place === undefined ? [] : [[place, result.status] as const];
    }),
  );
}

/** Returns the text that a mutant changes. */
function readOriginal({ fileName, location: { start, end } }: Result): string {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const toOffset = ({ line, column }: Position) =>
    lines.slice(0, line - 1).join('\n').length + (line > 1 ? column : column - 1);
  return lines.join('\n').slice(toOffset(start), toOffset(end));
}

/** Returns the range of a mutant's name in Stryker's format: lines from 1, columns from 0. */
function toRange(name: string): string {
  const [file, line, column, lastLine, lastColumn] = JSON.parse(name) as [string, ...number[]];
  return `${file}:${Number(line) + 1}:${column}-${Number(lastLine) + 1}:${lastColumn}`;
}

/** The result of each mutant of the sample, the test set that noticed it, and the test sets that have run. */
export interface MutationProgress {
  readonly mutants: readonly TriedMutant[];
  readonly ran: readonly string[];
}

/**
 * Tries the sample in one test set after another, and yields the results after each. Skips a test set whose
 * tests fail without a mutant.
 */
export async function* tryAll(
  mutate: readonly string[],
  sample: Sample,
  testSets: readonly TestSet[],
): AsyncGenerator<MutationProgress> {
  const mutants = await drawSample(mutate, sample);
  const ran: string[] = [];
  for (const testSet of testSets) {
    const remainingMutants = [...mutants.values()].filter(({ status }) => unnoticedStatuses.includes(status));
    const places = remainingMutants.map(({ place }) => place);
    if (places.length === 0) return;
    const statusByPlace = await (
      testSet.browser ? tryInBrowser(places) : tryInNode(testSet, sample, remainingMutants)
    ).catch(reportNotRun);
    if (statusByPlace) ran.push(testSet.name);
    for (const [place, status] of statusByPlace ?? []) {
      const previous = mutants.get(place);
      if (previous && isMoreInformative(status, previous.status))
        mutants.set(place, {
          ...previous,
          status,
          ...(noticedStatuses.includes(status) && { testSetName: testSet.name }),
        });
    }
    yield { mutants: [...mutants.values()], ran };
  }
}

function reportNotRun(error: unknown): undefined {
  process.stderr.write(`Not run: ${String(error)}\n`);
}

/**
 * Returns true if a test set found out more about a mutant than earlier ones. Once a test covered a mutant,
 * it never counts as uncovered again.
 */
function isMoreInformative(status: string, previousStatus: string): boolean {
  return (
    previousStatus === 'NoCoverage' || (previousStatus === 'Survived' && noticedStatuses.includes(status))
  );
}

/** Returns a key that two results of one mutant share. */
function createKey({ fileName, location, replacement }: MutantLocation): string {
  return JSON.stringify([fileName, location, replacement]);
}
