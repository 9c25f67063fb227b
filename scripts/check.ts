/**
 * Everything that must be green, in one run: build, format, lint, types, faults made on purpose, unit tests, end-to-end
 * tests. Ends with one line that counts the tests, and exit code 1 where anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases } from '../faults/cases.ts';
import type { Finding } from '../faults/fault-case.ts';
import type { FaultReport } from '../faults/report.ts';
import { ensureBrowser } from './browser.ts';
import { root } from './bundles.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Of those that passed. */
  flaky: number;
}

const reports = mkdtempSync(join(tmpdir(), 'chartkeeper-check-'));
const unitReport = join(reports, 'unit.json');
const e2eReport = join(reports, 'e2e.json');
const faultReports: string[] = [];

/** The tag of end-to-end tests that take minutes each: `npm run e2e` runs them too, this does not. */
const long = '@long';

type Step = readonly [name: string, command: string, ...parameters: string[]];

const lint: Step = ['lint', 'eslint', '.'];
const formatAndTypes: readonly Step[] = [
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ...['.', 'core', 'server', 'main', 'renderer', 'e2e', 'bench', 'faults'].map(
    (project) => ['types', 'tsc', '-p', project] as const,
  ),
];

const unitTests: Step = [
  'unit tests',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
];

/** The cases of faults that run beside others, or those that watch times and run by themselves. */
function faults(name: string, beside: boolean): Step {
  const report = join(reports, `${name}.json`);
  faultReports.push(report);
  const chosen = cases.filter((one) => (one.beside ?? false) === beside).map((one) => one.name);
  return [name, 'node', 'faults/run.ts', '--short', '--only', chosen.join(), '--report', report];
}

/** What must be green, in order; the lanes of a stage run side by side, as lint keeps one core busy and faults often wait. */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[['schema', 'node', 'scripts/schema.ts']]],
  [[['build', 'node', 'scripts/build.ts', '--if-stale']]],
  [[lint], formatAndTypes, [faults('faults', true)]],
  [[faults('faults and times', false)]],
  [[unitTests]],
  [
    [
      [
        'end-to-end tests',
        'playwright',
        'test',
        '--config',
        'e2e',
        '--grep-invert',
        long,
        // More than cores: a page often waits.
        '--workers=3',
        '--reporter=list,json',
      ],
    ],
  ],
];

/** Runs a step and says how long it took; false where it failed. */
async function run([name, command, ...parameters]: Step): Promise<boolean> {
  const started = Date.now();
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport };
  const child = spawn(command, parameters, { cwd: root, stdio: 'inherit', env });
  const [status] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(
    `${status === 0 ? 'ok' : 'FAILED'}  ${name} (${command} ${parameters[1] ?? ''}) in ${seconds} s`,
  );
  return status === 0;
}

/** Whether each of them is green; what stands behind one that is not is not begun. */
async function every<Item>(
  items: readonly Item[],
  green: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) {
    if (!(await green(item))) return false;
  }
  return true;
}

async function runStage(lanes: readonly (readonly Step[])[]): Promise<boolean> {
  const results = await Promise.all(lanes.map((lane) => every(lane, run)));
  return results.every(Boolean);
}

function read(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function count(): Counts {
  const unit = read(unitReport);
  const { stats } = read(e2eReport);
  const e2e = typeof stats === 'object' && stats !== null ? { ...(stats as Record<string, unknown>) } : {};
  const findings = faultReports
    .flatMap((path) => (read(path) as unknown as FaultReport).cases)
    .map(({ finding }) => finding.result);
  const ended = (result: Finding['result']) => findings.filter((one) => one === result).length;
  return {
    passed: Number(unit.numPassedTests) + Number(e2e.expected) + Number(e2e.flaky) + ended('passed'),
    failed: Number(unit.numFailedTests) + Number(e2e.unexpected) + ended('failed'),
    skipped: Number(unit.numPendingTests) + Number(e2e.skipped) + ended('not run'),
    flaky: Number(e2e.flaky),
  };
}

try {
  console.log(`Chromium for the end-to-end tests: ${ensureBrowser()}`);
  const green = await every(stages, runStage);
  if (green) {
    const { passed, failed, skipped, flaky } = count();
    if (skipped > 0)
      console.log('Skipped tests were not run: they need files or programs that are not on this machine.');
    if (flaky > 0) console.log(`${flaky} passed at the second try alone: look at them above.`);
    console.log(
      `Not run here: the end-to-end tests with the tag ${long}; npm run e2e runs them too. The faults ran with short counts; npm run test:faults has the full ones.`,
    );
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  }
  process.exitCode = green ? 0 : 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
