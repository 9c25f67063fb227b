/** Formats the section of docs/trust-runs.md about the mutation score of a seeded sample. */
import { relative } from 'node:path';
import { formatConditions } from '../scripts/document.ts';
import { reasonOf } from './reasons.ts';

/** The result of a tried change. */
export interface TriedMutant {
  readonly status: string;
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly mutatorName: string;
  /** The original text and its replacement. */
  readonly original: string;
  readonly replacement: string;
  /** The name of the test set that noticed it. */
  readonly testSetName?: string;
}

export interface ScoredFolder {
  readonly seed: string;
  readonly share: string;
  readonly command: string;
  /** The test sets in order. Each gets the changes that the earlier ones did not notice. */
  readonly testSets: readonly { readonly name: string; readonly tests: string }[];
  /** The names of the test sets that have run. */
  readonly ran: readonly string[];
  readonly mutants: readonly TriedMutant[];
}

/** Statuses of noticed changes. */
export const noticedStatuses: readonly string[] = ['Killed', 'Timeout', 'RuntimeError'];
/** Statuses of unnoticed changes. Changes with another status were not tried. */
export const unnoticedStatuses: readonly string[] = ['Survived', 'NoCoverage'];

/** Formats the section of a folder's run, with a list of all unnoticed changes. */
export function formatScoreSection(scored: ScoredFolder, root: string): string {
  const { seed, share, command, testSets, ran, mutants } = scored;
  const filterByStatus = (statuses: readonly string[]) =>
    mutants.filter(({ status }) => statuses.includes(status));
  const [noticedMutants, unnoticedMutants] = [
    filterByStatus(noticedStatuses),
    filterByStatus(unnoticedStatuses),
  ];
  const triedCount = noticedMutants.length + unnoticedMutants.length;
  const uncoveredCount = filterByStatus(['NoCoverage']).length;
  const formatTestSet = (testSetName: string) =>
    ran.includes(testSetName)
      ? `${noticedMutants.filter((mutant) => mutant.testSetName === testSetName).length} detected`
      : 'not run';
  return `**${noticedMutants.length} of ${triedCount} mutants were detected (${percent(noticedMutants.length, triedCount)}), of those that a test
covers, ${percent(noticedMutants.length, triedCount - uncoveredCount)}.** StrykerJS created the mutants; \`mutants/sample.ts\` sampled a share of ${share} with the
seed \`${seed}\`. Each set of tests ran on the mutants that the previous sets did not detect:

${testSets.map((testSet) => `- \`${testSet.tests}\`: ${formatTestSet(testSet.name)}`).join('\n')}

Tests that start their own processes are excluded (\`mutants/vitest.config.ts\`), and so are end-to-end tests. A separate
loop (\`mutants/browser-look.ts\`) runs component tests, because Stryker's runner starts no browser. Mutants in code that
runs when its module is loaded are not tested.

Not detected:

${unnoticedMutants.map((mutant) => formatUnnoticed(mutant, root)).join('\n')}

${formatConditions()}
- Command: \`${command}\`
`;
}

function formatUnnoticed(mutant: TriedMutant, root: string): string {
  const { fileName, location, original, replacement, status } = mutant;
  const file = relative(root, fileName).replaceAll('\\', '/');
  const reason = reasonOf(file, original, replacement);
  return [
    `- \`${file}\`:${location.start.line}, \`${shorten(original)}\` to \`${shorten(replacement)}\``,
    status === 'NoCoverage' ? ' (no test covers it)' : '',
    reason === undefined ? '' : `: ${reason}`,
  ].join('');
}

/** Formats code for a list: on one line, and only as much as needed to find it. */
function shorten(code: string): string {
  return code.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim().slice(0, 60);
}

function percent(part: number, total: number): string {
  return `${total === 0 ? 0 : Math.floor((100 * part) / total)}%`;
}
