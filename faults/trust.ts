/**
 * Writes the claims and their proofs into docs/trust.md and docs/trust-runs.md:
 * `node faults/trust.ts [--out FOLDER] [--faults FILE]...`.
 * `--faults` adds the section of reports that `npm run test:faults -- --report FILE` wrote: of a full run,
 * then of single cases that were run again.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cases } from './cases.ts';
import type { FaultReport } from './report.ts';
import { runsPage, trustPage, writeSection } from '../scripts/document.ts';
import type { Claim } from './claim.ts';
import { claims } from './claims.ts';
import { mergeReports, publishRun } from './publish.ts';

/** Formats the claims and the files that prove them. */
export function formatClaims(): string {
  return `Run the tests with \`npm test\`, and the faults with \`npm run test:faults\`. The numbers match
[the titles of the tests](trust-runs.md#tests-by-guarantee).

${claims.map(formatClaim).join('\n')}
`;
}

/** Formats the titles of the tests of each claim. */
export function formatTitles(): string {
  return `The numbers are those of [trust.md](trust.md).

${claims.map(formatClaimTitles).join('\n')}
`;
}

function formatClaim({ claim, tests = [], cases = [] }: Claim, index: number): string {
  const files = [...new Set(tests.map(([file]) => file))];
  const proofs = [
    ...(files.length === 0 ? [] : [formatNames(files)]),
    ...(cases.length === 0 ? [] : [`faults ${formatNames(cases)}`]),
  ];
  return `${index + 1}. ${claim} _Shown by_ ${proofs.join('; ')}.`;
}

function formatNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function formatClaimTitles({ tests = [], cases = [] }: Claim, index: number): string {
  const number = `${index + 1}. `;
  const indent = ' '.repeat(number.length);
  const files = Map.groupBy(tests, ([file]) => file);
  const fileLists = [...files].map(([file, titles]) => {
    const names = titles.map(([, title]) => `${indent}- \`${title}\``).join('\n');
    return `${indent}\`${file}\`:\n${names}`;
  });
  const faults = cases.length === 0 ? [] : [`${indent}Faults: ${formatNames(cases)}.`];
  return number + [...fileLists, ...faults].join('\n\n').trimStart();
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'docs' },
      faults: { type: 'string', multiple: true, default: [] },
    },
  });
  const { out, faults } = values;
  const runs = join(out, 'trust-runs.md');
  await writeSection(join(out, 'trust.md'), trustPage, 'Guarantees', formatClaims());
  await writeSection(runs, runsPage, 'Tests by guarantee', formatTitles());
  if (faults.length > 0) {
    const texts = await Promise.all(faults.map((file) => readFile(file, 'utf8')));
    const report = mergeReports(texts.map((text) => JSON.parse(text) as FaultReport));
    await publishRun(runs, report, cases, 'npm run test:faults');
  }
}
