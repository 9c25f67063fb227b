/**
 * Runs the cases against the built server:
 * `node faults/run.ts [--short] [--untimed] [--shared] [--only NAME,NAME] [--minutes N] [--seed N] [--report FILE] [--out FILE]`;
 * `--shared` has those of a PostgreSQL store alone, `--minutes` is for a case with a duration of its own (soak).
 * Prints a line for each case and closes with `N passed, N failed, N skipped`; exit code 1 where a case failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { leftOf, publishRun } from './publish.ts';
import { cases } from './cases.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from './fault-case.ts';
import type { CaseReport, FaultReport } from './report.ts';
import { endServersBelow } from './server.ts';
import { Tally } from './tally.ts';

const log = (line: string) => void process.stdout.write(`${line}\n`);

/** Flags that are the same for all cases of a run. */
type RunOptions = Pick<FaultContext, 'extent' | 'seed' | 'minutes'>;

async function runCase(one: FaultCase, options: RunOptions): Promise<CaseReport> {
  const folder = await mkdtemp(join(tmpdir(), `chartkeeper-${one.name}-`));
  const started = performance.now();
  const tally = new Tally();
  const finding = await one
    .run({ ...options, folder, tally, say: (line) => log(`    ${one.name}: ${line}`) })
    .catch((error: unknown) => findingOf(error, tally));
  await endServersBelow(folder);
  await rm(folder, { recursive: true, force: true });
  const seconds = Math.round((performance.now() - started) / 1000);
  log(`${one.name}: ${finding.result}, ${seconds} s. ${told(finding)}`);
  return { name: one.name, claim: one.claim, seconds, finding };
}

function findingOf(error: unknown, tally: Tally): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const figures = { ...tally.figures, ...(error instanceof FaultError && error.figures) };
  return { result: 'failed', figures, reason };
}

function told(finding: Finding): string {
  const figures = 'figures' in finding ? Object.entries(finding.figures) : [];
  const counts = figures.map(([what, count]) => `${what}: ${count}`).join(', ');
  return 'reason' in finding ? [finding.reason, counts].filter(Boolean).join(' — ') : counts;
}

/** Cases that run side by side; as many as a small machine has cores. */
const lanes = 2;

async function runAll(chosen: readonly FaultCase[], options: RunOptions): Promise<CaseReport[]> {
  const reports = new Map<string, CaseReport>();
  const run = async (one: FaultCase) => reports.set(one.name, await runCase(one, options));
  const waiting = chosen.filter(({ beside }) => beside).values();
  const lane = async () => {
    for (const one of waiting) await run(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const one of chosen) if (!one.beside) await run(one);
  return chosen.flatMap(({ name }) => reports.get(name) ?? []);
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
  process.once(signal, () => void endServersBelow('').then(() => process.exit(1)));
}
// One case opens the page.
if (isStale()) await buildBundles();
const extent = values.short ? 'short' : 'full';
const only = values.only?.split(',');
const isLeft = ({ timed = false, long = false, shared = false }: FaultCase) =>
  (timed && values.untimed) || (long && values.short) || (values.shared && !shared);
const chosen = cases.filter((one) => (only === undefined ? !isLeft(one) : only.includes(one.name)));
if (chosen.length === 0) throw new Error('No case has that name.');
const isWhole = !values.short && values.minutes === undefined && leftOf(chosen, cases).length === 0;
if (values.out !== undefined && !isWhole)
  throw new Error('--out takes a run of all cases of a section with full counts.');
const seed = Number(values.seed);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const reports = await runAll(chosen, { extent, seed, minutes });
const report: FaultReport = { extent, seed, cases: reports };
if (values.report !== undefined) await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
if (values.out !== undefined) {
  const command = ['npx node faults/run.ts', ...process.argv.slice(2)].join(' ');
  await publishRun(values.out, report, cases, command);
}
const count = (result: Finding['result']) =>
  reports.filter(({ finding }) => finding.result === result).length;
log(`${count('passed')} passed, ${count('failed')} failed, ${count('not run')} skipped`);
process.exitCode = count('failed') > 0 ? 1 : 0;
