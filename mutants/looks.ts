/** Tries mutants in one set of tests after the other: who was not noticed by the first is tried in the next. */
import { readFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { inSample, type Sample } from './sample.ts';
import { tryInBrowser } from './browser-look.ts';
import { noticed, unnoticed, type TriedMutant } from './score-section.ts';

/** A set of tests. */
export interface Look {
  readonly name: string;
  /** The pattern of its files. */
  readonly tests: string;
  /** The pattern of those that another look has. */
  readonly without?: string;
  /** Whether they run in a page. */
  readonly browser?: true;
}

/** The quickest test there is: it has no part in the folders whose places are counted. */
const quickest: Look = { name: 'quickest', tests: 'mutants/score.test.ts' };

/** A mutant as Stryker tells of it: lines and columns count from 1. */
interface Result extends Omit<TriedMutant, 'by' | 'original'> {
  readonly statusReason?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

type Placed = Pick<TriedMutant, 'fileName' | 'location' | 'replacement'>;

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Who runs when a module is loaded is left out: each would load every test anew. */
async function run(look: Look, mutate: readonly string[], sample: Sample): Promise<readonly Result[]> {
  process.env.MUTATED_TESTS = look.tests;
  process.env.MUTATED_WITHOUT = look.without ?? '';
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

interface Taken extends TriedMutant {
  /** Its name in the sample. */
  readonly place: string;
}

/** The sample's mutants by their names. */
async function taken(mutate: readonly string[], sample: Sample): Promise<Map<string, Taken>> {
  const all = await run(quickest, mutate, sample);
  const chosen = all.filter(({ statusReason }) => statusReason?.startsWith(inSample));
  return new Map(
    chosen.map(({ statusReason = '', ...mutant }) => {
      const place = statusReason.slice(inSample.length);
      return [place, { ...mutant, place, original: originalOf(mutant), status: 'NoCoverage' }];
    }),
  );
}

/** How each change ended in tests that Stryker runs, by its name in the sample. */
async function tryInNode(look: Look, sample: Sample, left: readonly Taken[]): Promise<Map<string, string>> {
  const places = left.map(({ place }) => place);
  const byKey = new Map(left.map((mutant) => [keyOf(mutant), mutant.place]));
  const results = await run(look, places.map(rangeOf), { ...sample, places });
  return new Map(
    results.flatMap((result) => {
      const place = byKey.get(keyOf(result));
      return place === undefined ? [] : [[place, result.status] as const];
    }),
  );
}

/** The text that a mutant changes. */
function originalOf({ fileName, location: { start, end } }: Result): string {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const at = ({ line, column }: Position) =>
    lines.slice(0, line - 1).join('\n').length + (line > 1 ? column : column - 1);
  return lines.join('\n').slice(at(start), at(end));
}

/** The range of a mutant's name as Stryker writes it: lines from 1, columns from 0. */
function rangeOf(name: string): string {
  const [file, line, column, lastLine, lastColumn] = JSON.parse(name) as [string, ...number[]];
  return `${file}:${Number(line) + 1}:${column}-${Number(lastLine) + 1}:${lastColumn}`;
}

/** How each mutant of the sample ended, which look noticed it, and which looks have run so far. */
export interface Tried {
  readonly mutants: readonly TriedMutant[];
  readonly ran: readonly string[];
}

/**
 * Tries the sample in one look after the other, and tells what is known after each. A look whose tests do not pass
 * without a mutant is left out.
 */
export async function* tryAll(
  mutate: readonly string[],
  sample: Sample,
  looks: readonly Look[],
): AsyncGenerator<Tried> {
  const mutants = await taken(mutate, sample);
  const ran: string[] = [];
  for (const look of looks) {
    const left = [...mutants.values()].filter(({ status }) => unnoticed.includes(status));
    const places = left.map(({ place }) => place);
    if (places.length === 0) return;
    const ended = await (look.browser ? tryInBrowser(places) : tryInNode(look, sample, left)).catch(notRun);
    if (ended) ran.push(look.name);
    for (const [place, status] of ended ?? []) {
      const before = mutants.get(place);
      if (before && saysMore(status, before.status))
        mutants.set(place, { ...before, status, ...(noticed.includes(status) && { by: look.name }) });
    }
    yield { mutants: [...mutants.values()], ran };
  }
}

function notRun(error: unknown): undefined {
  process.stderr.write(`Not run: ${String(error)}\n`);
}

/** Whether a look found out more of a mutant than the ones before: what ran in one test is not unrun for the next. */
function saysMore(now: string, before: string): boolean {
  return before === 'NoCoverage' || (before === 'Survived' && noticed.includes(now));
}

/** What two results of one mutant have in common. */
function keyOf({ fileName, location, replacement }: Placed): string {
  return JSON.stringify([fileName, location, replacement]);
}
