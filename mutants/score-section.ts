/** The section of docs/trust-runs.md that tells how many of a seeded sample of changes the tests of a folder noticed. */
import { relative } from 'node:path';
import { conditions } from '../scripts/document.ts';

/** What is told of a change that was tried. */
export interface TriedMutant {
  readonly status: string;
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly mutatorName: string;
  readonly replacement: string;
}

export interface ScoredFolder {
  readonly name: string;
  readonly seed: string;
  readonly share: string;
  readonly tests: string;
  readonly results: readonly TriedMutant[];
}

const noticed = ['Killed', 'Timeout', 'RuntimeError'];
const unnoticed = ['Survived', 'NoCoverage'];

/** The section of one folder's run; each change that nothing noticed stands in it. */
export function scoreSection({ name, seed, share, tests, results }: ScoredFolder, root: string): string {
  const of = (statuses: readonly string[]) => results.filter(({ status }) => statuses.includes(status));
  const [seen, left] = [of(noticed), of(unnoticed)];
  const all = seen.length + left.length;
  const unrun = of(['NoCoverage']).length;
  return `**${seen.length} of ${all} changes were noticed (${percent(seen.length, all)}), of those that a test ran
through ${percent(seen.length, all - unrun)}.** StrykerJS made the changes; \`mutants/sample.ts\` took a share of ${share} of all by the
seed \`${seed}\`. Tests: \`${tests}\`, without those that start processes of their own (\`mutants/vitest.config.ts\`).

What no test runs through here is partly run by component and end-to-end tests, which Stryker's runner does not start.

Not noticed:

${left.map((mutant) => leftText(mutant, root)).join('\n')}

${conditions()}
- Command: \`npm run test:score -- ${name}\`
`;
}

function leftText(mutant: TriedMutant, root: string): string {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  const place = `\`${relative(root, fileName).replaceAll('\\', '/')}\`:${location.start.line}`;
  const text = replacement.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim().slice(0, 60);
  return `- ${place}, ${mutatorName} to \`${text}\`${status === 'NoCoverage' ? ' (no test runs through it)' : ''}`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
