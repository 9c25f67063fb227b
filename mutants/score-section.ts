/** The section of docs/trust-runs.md that tells how many of a seeded sample of changes tests noticed. */
import { relative } from 'node:path';
import { conditions } from '../scripts/document.ts';
import { reasonOf } from './reasons.ts';

/** What is told of a change that was tried. */
export interface TriedMutant {
  readonly status: string;
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly mutatorName: string;
  /** The text that was changed, and what stood there instead. */
  readonly original: string;
  readonly replacement: string;
  /** The name of the tests that noticed it. */
  readonly by?: string;
}

export interface ScoredFolder {
  readonly seed: string;
  readonly share: string;
  readonly command: string;
  /** The sets of tests in the order in which they were run, each for what the ones before had not noticed. */
  readonly looks: readonly { readonly name: string; readonly tests: string }[];
  /** The names of those that have run. */
  readonly ran: readonly string[];
  readonly mutants: readonly TriedMutant[];
}

/** How a change ends that tests have noticed. */
export const noticed: readonly string[] = ['Killed', 'Timeout', 'RuntimeError'];
/** How one ends that they have not; what is neither was not tried. */
export const unnoticed: readonly string[] = ['Survived', 'NoCoverage'];

/** The section of one folder's run; each change that nothing noticed stands in it. */
export function scoreSection(scored: ScoredFolder, root: string): string {
  const { seed, share, command, looks, ran, mutants } = scored;
  const of = (statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status));
  const [seen, left] = [of(noticed), of(unnoticed)];
  const all = seen.length + left.length;
  const unrun = of(['NoCoverage']).length;
  const by = (look: string) =>
    ran.includes(look) ? `${seen.filter((mutant) => mutant.by === look).length} noticed` : 'not run';
  return `**${seen.length} of ${all} changes were noticed (${percent(seen.length, all)}), of those that a test ran
through ${percent(seen.length, all - unrun)}.** StrykerJS made the changes; \`mutants/sample.ts\` took a share of ${share} of all by the
seed \`${seed}\`. Tests, each set tried on what those before it had not noticed:

${looks.map((look) => `- \`${look.tests}\`: ${by(look.name)}`).join('\n')}

Tests that start processes of their own are in none of them (\`mutants/vitest.config.ts\`), nor are end-to-end tests;
those of components are run by a loop of the project's own (\`mutants/browser-look.ts\`), as Stryker's runner starts no
browser. A change that runs when its module is loaded is not tried.

Not noticed:

${left.map((mutant) => leftText(mutant, root)).join('\n')}

${conditions()}
- Command: \`${command}\`
`;
}

function leftText(mutant: TriedMutant, root: string): string {
  const { fileName, location, original, replacement, status } = mutant;
  const file = relative(root, fileName).replaceAll('\\', '/');
  const reason = reasonOf(file, original, replacement);
  return [
    `- \`${file}\`:${location.start.line}, \`${short(original)}\` to \`${short(replacement)}\``,
    status === 'NoCoverage' ? ' (no test runs through it)' : '',
    reason === undefined ? '' : `: ${reason}`,
  ].join('');
}

/** A piece of code for a list: on one line, and no more than is needed to find it. */
function short(code: string): string {
  return code.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim().slice(0, 60);
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
