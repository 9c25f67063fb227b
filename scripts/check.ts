/**
 * Everything that must be green, in one run: build, format, lint, types, faults made on purpose, unit tests, end-to-end
 * tests, the example for others' end-to-end tests. Ends with one line that counts the tests, and exit code 1 where anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserVersion, ensureBrowser } from './browser.ts';
import { root } from './bundles.ts';
import { makeMemoryFolder } from './memory-folder.ts';

/** What the tests write; undefined where the disk's own folder is taken, or the caller has chosen one. */
const memory = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;

const reports = mkdtempSync(join(tmpdir(), 'chartkeeper-check-'));
const unitReport = join(reports, 'unit.json');
const componentReport = join(reports, 'components.json');
const e2eReport = join(reports, 'e2e.json');
const faultReport = join(reports, 'faults.json');

/** The tags of end-to-end tests that take minutes each or watch a clock: `npm run e2e` runs them too, this does not. */
const left = '@long|@timed';

type Step = readonly [name: string, command: string, ...parameters: string[]];

/** Tests that run with vitest, of some of its projects. */
const vitest = (name: string, report: string, ...projects: readonly string[]): Step => [
  ...([name, 'vitest', 'run', '--reporter=default', '--reporter=json'] as const),
  `--outputFile.json=${report}`,
  ...projects.flatMap((project) => ['--project', project]),
];

const unitTests = vitest('unit tests', unitReport, 'replacing', 'plain', 'shared');

/** Those of components, in one page after another: by themselves they would leave a core idle. */
const componentTests = vitest('component tests', componentReport, 'components*');

/** The cases of faults that watch no clock and take no minutes. */
const faults: Step = ['faults', 'node', 'faults/run.ts', '--short', '--untimed', '--report', faultReport];

const endToEndTests: Step = [
  'end-to-end tests',
  'playwright',
  'test',
  '--config',
  'e2e',
  '--grep-invert',
  left,
  // More than cores: a page often waits.
  '--workers=3',
  '--reporter=list,json',
];

/** The script that is written against docs/api.md alone. */
const script: Step = ['the example of docs/api.md', 'node', 'examples/after-a-fault.ts'];

/** The project that others begin theirs with, as they run it. */
const example: Step = [
  'the example of docs/playwright.md',
  'playwright',
  'test',
  '--config',
  'examples/playwright',
  '--reporter=line',
];

/**
 * What must be green, in order. The lanes of a stage run side by side, the steps of a lane one after the other. In the
 * first lane stands what takes all cores it can get, in the second what is soon done, takes one core, or waits.
 */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[['schema', 'node', 'scripts/schema.ts', '--if-stale']]],
  [[['build', 'node', 'scripts/build.ts', '--if-stale']]],
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

/** Set by the first step that fails: none is begun after it. */
let failed = false;

/** Runs a step and says how long it took. */
async function run([name, command, ...parameters]: Step): Promise<void> {
  const started = Date.now();
  const env = {
    ...process.env,
    ...(memory !== undefined && { TMPDIR: memory }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport,
    // Servers and commands are started by the hundred, each of the same files.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  };
  const child = spawn(command, parameters, { cwd: root, stdio: 'inherit', env });
  const [status] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name} in ${seconds} s`);
  if (status !== 0) failed = true;
}

/** Whether every step is green. */
async function runAll(): Promise<boolean> {
  for (const lanes of stages) await Promise.all(lanes.map(runLane));
  return !failed;
}

async function runLane(steps: readonly Step[]): Promise<void> {
  for (const step of steps) if (!failed) await run(step);
}

function read(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function count() {
  const tests = [unitReport, componentReport].map(read);
  const sum = (name: string) => tests.reduce((all, one) => all + Number(one[name]), 0);
  const { stats } = read(e2eReport);
  const e2e = typeof stats === 'object' && stats !== null ? { ...(stats as Record<string, unknown>) } : {};
  const { cases = [] } = read(faultReport) as { cases?: readonly { finding: { result: string } }[] };
  const ended = (result: string) => cases.filter(({ finding }) => finding.result === result).length;
  return {
    passed: sum('numPassedTests') + Number(e2e.expected) + ended('passed'),
    failed: sum('numFailedTests') + Number(e2e.unexpected) + ended('failed'),
    skipped: sum('numPendingTests') + Number(e2e.skipped) + ended('not run'),
  };
}

// What lies in memory takes room until it is gone.
process.once('exit', () => {
  for (const folder of [reports, memory])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const browser = ensureBrowser();
// The examples and the workers of the tests read it.
process.env.CHROMIUM = browser;
console.log(`Browser of the tests: ${browserVersion(browser)} (${browser})`);
const green = await runAll();
if (green) {
  const { passed, failed, skipped } = count();
  if (skipped > 0)
    console.log('Skipped tests were not run: they need files or programs that are not on this machine.');
  console.log(
    `Not run here: the end-to-end tests with the tags ${left}; npm run e2e runs them too. The faults ran with short counts and without those that watch a clock or take long; npm run test:faults has all, and the unit tests that take minutes.`,
  );
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}
process.exitCode = green ? 0 : 1;
