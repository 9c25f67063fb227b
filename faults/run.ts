/**
 * Runs the cases against the built server:
 * `node faults/run.ts [--short] [--untimed] [--shared] [--only NAME,NAME] [--minutes N] [--seed N] [--report
 * FILE] [--out FILE]`.
 * `--shared` selects the cases of a PostgreSQL store. `--minutes` is for a case with a duration of its own
 * (soak). Prints a line for each case and ends with `N passed, N failed, N skipped`. Exit code 1 if a case
 * failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { listOmitted, publishRun } from './publish.ts';
import { cases } from './cases.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from './fault-case.ts';
import type { CaseReport, FaultReport } from './report.ts';
import { killServersBelow } from './server.ts';
import { Tally } from './tally.ts';

const log = (line: string) => void process.stdout.write(`${line}\n`);

/** Options that all cases of a run share. */
type RunOptions = Pick<FaultContext, 'runLength' | 'seed' | 'minutes'>;

async function runCase(faultCase: FaultCase, options: RunOptions): Promise<CaseReport> {
  const folder = await mkdtemp(join(tmpdir(), `chartkeeper-${faultCase.name}-`));
  const startTime = performance.now();
  const tally = new Tally();
  const finding = await faultCase
    .run({ ...options, folder, tally, say: (line) => log(`    ${faultCase.name}: ${line}`) })
    .catch((error: unknown) => toFailure(error, tally));
  await killServersBelow(folder);
  await rm(folder, { recursive: true, force: true });
  const seconds = Math.round((performance.now() - startTime) / 1000);
  log(`${faultCase.name}: ${finding.result}, ${seconds} s. ${formatFinding(finding)}`);
  return { name: faultCase.name, claim: faultCase.claim, seconds, finding };
}

function toFailure(error: unknown, tally: Tally): FaultResult {
  const reason = error instanceof Error ? error.message : String(error);
  const figures = { ...tally.figures, ...(error instanceof FaultError && error.figures) };
  return { result: 'failed', figures, reason };
}

function formatFinding(finding: FaultResult): string {
  const figures = 'figures' in finding ? Object.entries(finding.figures) : [];
  const counts = figures.map(([label, count]) => `${label}: ${count}`).join(', ');
  return 'reason' in finding ? [finding.reason, counts].filter(Boolean).join(' — ') : counts;
}

/** Number of parallel cases, as many as a small machine has cores. */
const lanes = 2;

async function runAll(selectedCases: readonly FaultCase[], options: RunOptions): Promise<CaseReport[]> {
  const reports = new Map<string, CaseReport>();
  const run = async (faultCase: FaultCase) => reports.set(faultCase.name, await runCase(faultCase, options));
  const pendingCases = selectedCases.filter(({ parallel }) => parallel).values();
  const lane = async () => {
    for (const faultCase of pendingCases) await run(faultCase);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const faultCase of selectedCases) if (!faultCase.parallel) await run(faultCase);
  return selectedCases.flatMap(({ name }) => reports.get(name) ?? []);
}

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
    shared: { type: 'boolean', default: false },
    only: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
    out: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void killServersBelow('').then(() => process.exit(1)));
}
// One case opens the page.
if (isStale()) await buildBundles();
const runLength = values.short ? 'short' : 'full';
const requestedNames = values.only?.split(',');
const isOmitted = ({ timed = false, long = false, shared = false }: FaultCase) =>
  (timed && values.untimed) || (long && values.short) || (values.shared && !shared);
const requestedCases = cases.filter((faultCase) =>
  requestedNames === undefined ? !isOmitted(faultCase) : requestedNames.includes(faultCase.name),
);
if (requestedCases.length === 0) throw new Error('No case has that name.');
const isWhole =
  !values.short && values.minutes === undefined && listOmitted(requestedCases, cases).length === 0;
if (values.out !== undefined && !isWhole)
  throw new Error('--out takes a run of all cases of a section with full counts.');
const seed = Number(values.seed);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const reports = await runAll(requestedCases, { runLength, seed, minutes });
const report: FaultReport = { extent: runLength, seed, cases: reports };
if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
if (values.out !== undefined) {
  const command = ['npx node faults/run.ts', ...process.argv.slice(2)].join(' ');
  await publishRun(values.out, report, cases, command);
}
const count = (result: FaultResult['result']) =>
  reports.filter(({ finding }) => finding.result === result).length;
log(`${count('passed')} passed, ${count('failed')} failed, ${count('not run')} skipped`);
process.exitCode = count('failed') > 0 ? 1 : 0;
