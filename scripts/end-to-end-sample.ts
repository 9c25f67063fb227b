/**
 * Selects the end-to-end tests of `npm test`: `node scripts/end-to-end-sample.ts LIST [--all]` writes the list for
 * Playwright (`--test-list`). Each test has the tag of a user's job. The jobs in which text can be lost run whole.
 * Of each other job a sample runs, at least one test. With `--all`, every test runs.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { root } from './bundles.ts';

/** Jobs whose tests all run. */
const wholeJobs: ReadonlySet<string> = new Set([
  'access',
  'checks',
  'conflict',
  'create',
  'drafts',
  'edit',
  'history',
  'live',
  'patch',
  'people',
  'safety',
  'save',
  'settings',
  'tabs',
]);

/** One of so many tests of another job runs. */
const defaultStep = 4;

/** Jobs with tests for each view, server or record, which take minutes, and jobs of which more than the default runs. */
const sampleSteps: ReadonlyMap<string, number> = new Map([
  ['accessibility', 20],
  ['backup', 2],
  ['desktop', 2],
  ['first-use', 2],
  ['real-records', 40],
  ['remote', 10],
  ['sign-in', 2],
]);

/** The same sources run the same tests. */
const sampleSeed = 20260101;

/** Tag of tests that make no sense in the desktop app. It names no job. */
const browserTag = 'browser';

export interface EndToEndTest {
  /** File, relative to the folder of the tests. */
  readonly file: string;
  readonly title: string;
  readonly projectName: string;
  /** The user's job, for example `conflict`. */
  readonly job: string;
}

/**
 * Selects tests by their job. The same seed selects the same tests.
 *
 * @param seed - A whole number.
 */
export function selectTests(tests: readonly EndToEndTest[], seed: number): EndToEndTest[] {
  return [...Map.groupBy(tests, ({ job }) => job)].flatMap(([job, testsOfJob]) =>
    wholeJobs.has(job)
      ? testsOfJob
      : testsOfJob.filter((_, index) => (index + seed) % stepOf(job, testsOfJob.length) === 0),
  );
}

function stepOf(job: string, count: number): number {
  return Math.min(sampleSteps.get(job) ?? defaultStep, count);
}

/** Part of a suite in the JSON report of Playwright. */
interface ReportedSuite {
  readonly suites?: readonly ReportedSuite[];
  readonly specs: readonly {
    readonly file: string;
    readonly title: string;
    readonly tags: readonly string[];
    readonly tests: readonly { readonly projectName: string }[];
  }[];
}

/** Lists all end-to-end tests. Throws an error if one has no job or several. */
export function listTests(): EndToEndTest[] {
  // With this variable the report would go to the file of the run.
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: undefined };
  const { stdout, status } = spawnSync(
    'playwright',
    ['test', '--config', 'e2e', '--list', '--reporter=json'],
    { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error('Playwright cannot list the end-to-end tests.');
  return testsOf(JSON.parse(stdout) as ReportedSuite);
}

function testsOf({ suites = [], specs = [] }: Partial<ReportedSuite>): EndToEndTest[] {
  return [
    ...suites.flatMap(testsOf),
    ...specs.flatMap(({ file, title, tags, tests }) => {
      const jobs = tags.filter((tag) => tag !== browserTag);
      const [job] = jobs;
      if (job === undefined || jobs.length > 1)
        throw new Error(`${file}: "${title}" needs one job as its tag.`);
      return tests.map(({ projectName }) => ({ file, title, projectName, job }));
    }),
  ];
}

/** Describes a selection: how many tests of how many, and of which jobs not all. */
export function describeSelection(
  tests: readonly EndToEndTest[],
  selection: readonly EndToEndTest[],
): string {
  const selectedByJob = Map.groupBy(selection, ({ job }) => job);
  const partialJobs = [...Map.groupBy(tests, ({ job }) => job)]
    .map(([job, { length }]) => ({ job, selected: selectedByJob.get(job)?.length ?? 0, length }))
    .filter(({ selected, length }) => selected < length)
    .map(({ job, selected, length }) => `${job} ${selected} of ${length}`);
  const total = `${selection.length} of ${tests.length} end-to-end tests`;
  return partialJobs.length === 0
    ? `${total} ran`
    : `${total} ran (${partialJobs.join(', ')}; all of every other job)`;
}

const [listPath, option] = process.argv.slice(2);
if (import.meta.main) {
  if (listPath === undefined) throw new Error('Name the file for the list.');
  const tests = listTests();
  const selection = option === '--all' ? tests : selectTests(tests, sampleSeed);
  const lines = selection.map(({ projectName, file, title }) => `[${projectName}] › ${file} › ${title}`);
  writeFileSync(listPath, [`# ${describeSelection(tests, selection)}`, ...lines, ''].join('\n'));
}
