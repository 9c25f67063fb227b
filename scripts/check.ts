/**
 * Runs all required checks: build, format, lint, types, fault cases, unit tests, end-to-end tests and the
 * examples. Ends with lines that count the tests, and with exit code 1 if a check failed. With `--all`, nothing
 * is left out: neither a test that takes minutes nor an end-to-end test, and the counts are full.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBrowserVersion, ensureBrowser } from './browser.ts';
import { root } from './bundles.ts';
import { makeMemoryFolder } from './memory-folder.ts';

/** Memory folder for the files of the tests. Undefined if the disk is used, or the caller has set TMPDIR. */
const memory = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;

const reports = mkdtempSync(join(tmpdir(), 'chartkeeper-check-'));
const unitReport = join(reports, 'unit.json');
const componentReport = join(reports, 'components.json');
const e2eReport = join(reports, 'e2e.json');
const faultReport = join(reports, 'faults.json');

const endToEndList = join(reports, 'e2e.txt');

const includesAll = process.argv.includes('--all');

type Step = readonly [name: string, command: string, ...parameters: string[]];

/** Creates the step that runs some vitest projects. */
const createVitestStep = (name: string, report: string, ...projects: readonly string[]): Step => [
  ...([name, 'vitest', 'run', '--reporter=default', '--reporter=json'] as const),
  `--outputFile.json=${report}`,
  ...projects.flatMap((project) => ['--project', project]),
];

const unitTests = createVitestStep('unit tests', unitReport, 'replacing', 'plain', 'shared', 'desktop');

/** Component tests run in one page after another, and use only one core. */
const componentTests = createVitestStep('component tests', componentReport, 'components*');

/** The fault cases. Without `--all` only those that watch no clock and take no minutes, with short counts. */
const faults: Step = [
  ...(['faults', 'node', 'faults/run.ts'] as const),
  ...(includesAll ? [] : ['--short', '--untimed']),
  '--report',
  faultReport,
];

const endToEndTests: Step = [
  'end-to-end tests',
  'playwright',
  'test',
  '--config',
  'e2e',
  '--test-list',
  endToEndList,
  // More workers than cores, because a page often waits.
  '--workers=3',
  '--reporter=list,json',
];

/** The example script, written only from docs/api.md. */
const script: Step = ['the example of docs/api.md', 'node', 'examples/after-a-fault.ts'];

/** The example project for end-to-end tests of other projects. */
const example: Step = [
  'the example of docs/playwright.md',
  'playwright',
  'test',
  '--config',
  'examples/playwright',
  '--reporter=line',
];

/**
 * The checks in order. The lanes of a stage run in parallel, the steps of a lane one after another. The first
 * lane has the steps that use all cores, the second has steps that are short, use one core, or wait.
 */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[['schema', 'node', 'scripts/schema.ts', '--if-stale']]],
  // The list of the end-to-end tests loads modules that the first stage generates.
  [
    [
      ['build', 'node', 'scripts/build.ts', '--if-stale'],
      [
        'sample of the end-to-end tests',
        'node',
        'scripts/end-to-end-sample.ts',
        endToEndList,
        ...(includesAll ? ['--all'] : []),
      ],
    ],
  ],
  [
    [unitTests, endToEndTests],
    [
      ['types', 'npm', 'run', '--silent', 'typecheck'],
      ['lint', 'npm', 'run', '--silent', 'lint'],
      componentTests,
      faults,
      script,
      example,
    ],
  ],
];

/** Set by the first failing step. No step starts after it. */
let failed = false;

/** Runs a step and prints its duration. */
async function run([name, command, ...parameters]: Step): Promise<void> {
  const startedAtMs = Date.now();
  const env = {
    ...process.env,
    ...(includesAll ? { LONG_TESTS: '1', FUZZ_COUNT: '10000' } : { SAMPLE_TESTS: '1' }),
    ...(memory !== undefined && { TMPDIR: memory }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport,
    // Hundreds of servers and commands start from the same files.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  };
  const child = spawn(command, parameters, { cwd: root, stdio: 'inherit', env });
  const [status] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name} in ${seconds} s`);
  if (status !== 0) failed = true;
}

/** Returns true if every step passed. */
async function runAll(): Promise<boolean> {
  for (const lanes of stages) await Promise.all(lanes.map(runLane));
  return !failed;
}

async function runLane(steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (!failed) await run(step);
}

function readJson(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function countTests() {
  const tests = [unitReport, componentReport].map(readJson);
  const sum = (name: string) => tests.reduce((total, report) => total + Number(report[name]), 0);
  const { stats } = readJson(e2eReport);
  const e2e = typeof stats === 'object' && stats !== null ? { ...(stats as Record<string, unknown>) } : {};
  const { cases = [] } = readJson(faultReport) as { cases?: readonly { finding: { result: string } }[] };
  const countResult = (result: string) => cases.filter(({ finding }) => finding.result === result).length;
  return {
    passedCount: sum('numPassedTests') + Number(e2e.expected) + countResult('passed'),
    failedCount: sum('numFailedTests') + Number(e2e.unexpected) + countResult('failed'),
    skippedCount: sum('numPendingTests') + Number(e2e.skipped) + countResult('not run'),
  };
}

// Folders in memory use it until they are removed.
process.once('exit', () => {
  for (const folder of [reports, memory])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const browser = ensureBrowser();
// The examples and the workers of the tests read this variable.
process.env.CHROMIUM = browser;
console.log(`Browser of the tests: ${readBrowserVersion(browser)} (${browser})`);
const isGreen = await runAll();
if (isGreen) {
  const { passedCount, failedCount, skippedCount } = countTests();
  if (skippedCount > 0)
    console.log('Skipped tests were not run: they need files or programs that are not on this machine.');
  console.log(readFileSync(endToEndList, 'utf8').split('\n', 1)[0]?.replace(/^# /, ''));
  if (!includesAll) {
    console.log(
      'Not run here: the other end-to-end tests, the unit tests that take minutes, and the faults that watch a clock or take long. The other faults and property tests ran with short counts, and accessibility was checked at two of six combinations of size and theme. npm run test:all runs everything.',
    );
  }
  console.log(`${passedCount} passed, ${failedCount} failed, ${skippedCount} skipped`);
}
process.exitCode = isGreen ? 0 : 1;
