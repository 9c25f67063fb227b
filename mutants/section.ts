/** The section of docs/trust-runs.md that tells which mechanism was taken away and which test noticed. */
import type { Mutant } from './mutant.ts';
import { conditions } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';

/** `no test`: it did not pass before; `broken`: it did not run, or failed otherwise than by an assertion. */
export const verdicts = ['noticed', 'unnoticed', 'broken', 'no test'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Trial {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

/** The section of one run of all mutants. */
export function mutantSection(trials: readonly Trial[], command: string): string {
  const noticed = trials.filter(({ verdict }) => verdict === 'noticed').length;
  return `Each mechanism was taken away in a copy of the sources, by the one change that is shown; then its test ran alone. It
passed before the change, and failed by an assertion behind it. Made by \`npm run test:mutants\`; the list is in
\`mutants/\`. **${noticed} of ${trials.length} noticed.**

${trials.map(trialText).join('\n')}

${conditions()}
- Versions: ${versions()}
- Command: \`${command}\`
`;
}

function trialText({ mutant, verdict }: Trial): string {
  const { mechanism, file, text, instead, test } = mutant;
  const change = instead === undefined ? `without ${code(text)}` : `${code(text)} became ${code(instead)}`;
  const result = verdict === 'noticed' ? 'Noticed by' : `**${verdict}**:`;
  return `- **${mechanism}.** \`${file}\`: ${change}. ${result} \`${test.file}\`, ${code(test.title)}.`;
}

function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
