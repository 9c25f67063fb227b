/** Writes the sections of docs/trust-runs.md about the fault cases. */
import type { FaultCase } from './fault-case.ts';
import type { CaseReport, FaultReport } from './report.ts';
import { formatConditions, runsPage, writeSection } from '../scripts/document.ts';
import { formatVersions } from '../scripts/versions.ts';

const grouped = new Intl.NumberFormat('en');

/** Headings of the sections, by the kind of their cases. */
const faultHeadings = { own: 'Faults', shared: 'Faults of a shared store', alone: 'Soak' } as const;

type FaultHeading = (typeof faultHeadings)[keyof typeof faultHeadings];

const introductions: Readonly<Record<FaultHeading, string>> = {
  Faults: 'Faults injected around the built server, which runs in its own processes on real files.',
  Soak: 'A longer run of the built server with kills, stops, a restore and clock changes.',
  'Faults of a shared store':
    'Faults injected around the built servers and a real PostgreSQL, all in their own processes.',
};

/**
 * Formats the section of one report: each case with its claim, result, figures and seconds, or the reason why
 * it was not run.
 */
function formatFaultSection({ seed, cases }: FaultReport, command: string, heading: FaultHeading): string {
  const count = (result: CaseReport['finding']['result']) =>
    cases.filter(({ finding }) => finding.result === result).length;
  return `${introductions[heading]} Made by
\`npm run test:faults\`; the cases are in \`faults/\`. **${count('passed')} passed, ${count('failed')} failed,
${count('not run')} not run.**

${cases.map(formatCase).join('\n\n')}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${seed}
- Command: \`${command}\`
`;
}

function formatCase({ name, claim, seconds, finding }: CaseReport): string {
  const reason = 'reason' in finding ? `\n\n${finding.reason}` : '';
  const figures = Object.entries('figures' in finding ? finding.figures : {});
  const formatFigure = (value: number | string) =>
    typeof value === 'number' ? grouped.format(value) : value;
  const list = figures.map(([label, value]) => `- ${label}: ${formatFigure(value)}`);
  const time = finding.result === 'not run' ? '' : `, ${grouped.format(seconds)} s`;
  return `### ${name}: ${finding.result}${time}

${claim}${reason}${list.length === 0 ? '' : `\n\n${list.join('\n')}`}`;
}

/** Merges reports. A case of a later report replaces the same case of an earlier one. */
export function mergeReports(reports: readonly FaultReport[]): FaultReport {
  const [firstReport] = reports;
  if (!firstReport) throw new Error('There is no report.');
  if (reports.some(({ seed }) => seed !== firstReport.seed))
    throw new Error('The reports are of several seeds.');
  const allCases = reports.flatMap(({ cases }) => cases);
  const names = new Set(allCases.map(({ name }) => name));
  return {
    seed: firstReport.seed,
    extent: reports.every(({ extent }) => extent === 'full') ? 'full' : 'short',
    cases: [...names].flatMap((name) => allCases.findLast((caseReport) => caseReport.name === name) ?? []),
  };
}

/**
 * Writes the section of a run of all cases in `names`, with full counts.
 *
 * @throws Error after a short or partial run. The page stays unchanged.
 */
export async function publishFaults(
  path: string,
  report: FaultReport,
  names: readonly string[],
  command: string,
  heading: FaultHeading = faultHeadings.own,
): Promise<void> {
  const run = new Set(report.cases.map(({ name }) => name));
  const missingNames = names.filter((name) => !run.has(name));
  if (report.extent !== 'full') throw new Error(`${path} was left as it is: this was a short run.`);
  if (missingNames.length > 0)
    throw new Error(`${path} was left as it is: cases were not run: ${missingNames.join(', ')}.`);
  const ownReport = { ...report, cases: report.cases.filter(({ name }) => names.includes(name)) };
  await writeSection(path, runsPage, heading, formatFaultSection(ownReport, command, heading));
}

type SectionedCase = Pick<FaultCase, 'name' | 'shared' | 'ownSection'>;

function getHeading({ shared = false, ownSection = false }: SectionedCase): FaultHeading {
  if (shared) return faultHeadings.shared;
  return ownSection ? faultHeadings.alone : faultHeadings.own;
}

/** Returns the names of cases that a run omits from the sections that it contributes to. */
export function listOmitted(
  selectedCases: readonly SectionedCase[],
  cases: readonly SectionedCase[],
): readonly string[] {
  const [headings, names] = [
    new Set(selectedCases.map(getHeading)),
    new Set(selectedCases.map(({ name }) => name)),
  ];
  return cases
    .filter((faultCase) => headings.has(getHeading(faultCase)) && !names.has(faultCase.name))
    .map(({ name }) => name);
}

/** Writes each section with a case that was run. */
export async function publishRun(
  path: string,
  report: FaultReport,
  cases: readonly SectionedCase[],
  command: string,
): Promise<void> {
  for (const heading of Object.values(faultHeadings)) {
    const names = cases.filter((faultCase) => getHeading(faultCase) === heading).map(({ name }) => name);
    if (report.cases.some(({ name }) => names.includes(name)))
      await publishFaults(path, report, names, command, heading);
  }
}
