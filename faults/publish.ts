/** The sections of docs/trust-runs.md that tell how the faults made on purpose ended. */
import type { FaultCase } from './fault-case.ts';
import type { CaseReport, FaultReport } from './report.ts';
import { conditions, runsPage, writeSection } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';

const grouped = new Intl.NumberFormat('en');

/** The sections of the page, by what their cases break. */
const faultHeadings = { own: 'Faults', shared: 'Faults of a shared store', alone: 'Soak' } as const;

type FaultHeading = (typeof faultHeadings)[keyof typeof faultHeadings];

const leads: Readonly<Record<FaultHeading, string>> = {
  Faults: 'The built server, on real files and in processes of its own, while the world breaks around it.',
  Soak: 'The built server over a longer time, while it is killed, stopped, restored and its clock moved.',
  'Faults of a shared store':
    'The built servers over a real PostgreSQL, all in processes of their own, while the world breaks around them.',
};

/** The section of one report: each case with its claim, result, figures and seconds; what was not run with its reason. */
function faultSection({ seed, cases }: FaultReport, command: string, heading: FaultHeading): string {
  const count = (result: CaseReport['finding']['result']) =>
    cases.filter(({ finding }) => finding.result === result).length;
  return `${leads[heading]} Made by
\`npm run test:faults\`; the cases are in \`faults/\`. **${count('passed')} passed, ${count('failed')} failed,
${count('not run')} not run.**

${cases.map(caseText).join('\n\n')}

${conditions()}
- Versions: ${versions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}

function caseText({ name, claim, seconds, finding }: CaseReport): string {
  const reason = 'reason' in finding ? `\n\n${finding.reason}` : '';
  const figures = Object.entries('figures' in finding ? finding.figures : {});
  const shown = (value: number | string) => (typeof value === 'number' ? grouped.format(value) : value);
  const list = figures.map(([what, value]) => `- ${what}: ${shown(value)}`);
  const time = finding.result === 'not run' ? '' : `, ${grouped.format(seconds)} s`;
  return `### ${name}: ${finding.result}${time}

${claim}${reason}${list.length === 0 ? '' : `\n\n${list.join('\n')}`}`;
}

/** Several reports as one: a case of a later one takes the place of the same case before it. */
export function mergeReports(reports: readonly FaultReport[]): FaultReport {
  const [first] = reports;
  if (!first) throw new Error('There is no report.');
  if (reports.some(({ seed }) => seed !== first.seed)) throw new Error('The reports are of several seeds.');
  const all = reports.flatMap(({ cases }) => cases);
  const names = new Set(all.map(({ name }) => name));
  return {
    seed: first.seed,
    extent: reports.every(({ extent }) => extent === 'full') ? 'full' : 'short',
    cases: [...names].flatMap((name) => all.findLast((one) => one.name === name) ?? []),
  };
}

/**
 * Writes the section of a run of all its cases, `names`, with full counts.
 *
 * @throws Error where the report is of a short run, or of some cases: what stands on the page stays.
 */
export async function publishFaults(
  path: string,
  report: FaultReport,
  names: readonly string[],
  command: string,
  heading: FaultHeading = faultHeadings.own,
): Promise<void> {
  const run = new Set(report.cases.map(({ name }) => name));
  const left = names.filter((name) => !run.has(name));
  if (report.extent !== 'full') throw new Error(`${path} was left as it is: this was a short run.`);
  if (left.length > 0) throw new Error(`${path} was left as it is: cases were not run: ${left.join(', ')}.`);
  const own = { ...report, cases: report.cases.filter(({ name }) => names.includes(name)) };
  await writeSection(path, runsPage, heading, faultSection(own, command, heading));
}

type Placed = Pick<FaultCase, 'name' | 'shared' | 'alone'>;

function headingOf({ shared = false, alone = false }: Placed): FaultHeading {
  if (shared) return faultHeadings.shared;
  return alone ? faultHeadings.alone : faultHeadings.own;
}

/** Names the cases that a run leaves out of the sections that it has a part of. */
export function leftOf(chosen: readonly Placed[], cases: readonly Placed[]): readonly string[] {
  const [headings, names] = [new Set(chosen.map(headingOf)), new Set(chosen.map(({ name }) => name))];
  return cases.filter((one) => headings.has(headingOf(one)) && !names.has(one.name)).map(({ name }) => name);
}

/** Writes the sections of which any case was run. */
export async function publishRun(
  path: string,
  report: FaultReport,
  cases: readonly Placed[],
  command: string,
): Promise<void> {
  for (const heading of Object.values(faultHeadings)) {
    const names = cases.filter((one) => headingOf(one) === heading).map(({ name }) => name);
    if (report.cases.some(({ name }) => names.includes(name)))
      await publishFaults(path, report, names, command, heading);
  }
}
