/**
 * Writes what must hold, and what shows it, into docs/trust.md: `node faults/trust.ts [--out FILE] [--faults FILE]...`.
 * `--faults` adds the section of reports that `npm run test:faults -- --report FILE` wrote: of a full run, and of single
 * cases that were run again behind it.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { cases } from './cases.ts';
import type { FaultReport } from './report.ts';
import { trustPage, writeSection } from '../scripts/document.ts';
import type { Claim } from './claim.ts';
import { claims } from './claims.ts';
import { mergeReports, publishFaults } from './publish.ts';

/** The section of the table. */
export function claimSection(): string {
  return `Tests run with \`npm test\`, cases of faults with \`npm run test:faults\`; how those ended stands below.

${claims.map(claimText).join('\n')}
`;
}

function claimText({ claim, tests = [], cases = [] }: Claim, index: number): string {
  const number = `${index + 1}. `;
  const below = ' '.repeat(number.length);
  const files = Map.groupBy(tests, ([file]) => file);
  const shown = [...files].map(([file, titles]) => {
    const names = titles.map(([, title]) => `${below}- \`${title}\``).join('\n');
    return `${below}\`${file}\`:\n${names}`;
  });
  const faults =
    cases.length === 0 ? [] : [`${below}Faults: ${cases.map((name) => `\`${name}\``).join(', ')}.`];
  return [`${number}${claim}`, ...shown, ...faults].join('\n\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'docs/trust.md' },
      faults: { type: 'string', multiple: true, default: [] },
    },
  });
  const { out, faults } = values;
  await writeSection(out, trustPage, 'What holds', claimSection());
  if (faults.length > 0) {
    const texts = await Promise.all(faults.map((file) => readFile(file, 'utf8')));
    const report = mergeReports(texts.map((text) => JSON.parse(text) as FaultReport));
    const names = cases.map(({ name }) => name);
    await publishFaults(out, report, names, 'npm run test:faults');
  }
}
