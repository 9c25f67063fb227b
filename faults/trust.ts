/**
 * Writes what must hold, and what shows it, into docs/trust.md and docs/trust-runs.md:
 * `node faults/trust.ts [--out FOLDER] [--faults FILE]...`.
 * `--faults` adds the section of reports that `npm run test:faults -- --report FILE` wrote: of a full run, and of single
 * cases that were run again behind it.
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

/** What is promised, and in which files it is shown. */
export function claimSection(): string {
  return `Tests run with \`npm test\`, faults with \`npm run test:faults\`. The numbers are those of
[the tests' titles](trust-runs.md#tests-by-promise).

${claims.map(claimText).join('\n')}
`;
}

/** The titles of the tests behind each claim. */
export function titleSection(): string {
  return `The numbers are those of [trust.md](trust.md).

${claims.map(titlesText).join('\n')}
`;
}

function claimText({ claim, tests = [], cases = [] }: Claim, index: number): string {
  const files = [...new Set(tests.map(([file]) => file))];
  const shown = [
    ...(files.length === 0 ? [] : [quoted(files)]),
    ...(cases.length === 0 ? [] : [`faults ${quoted(cases)}`]),
  ];
  return `${index + 1}. ${claim} _Shown by_ ${shown.join('; ')}.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function titlesText({ tests = [], cases = [] }: Claim, index: number): string {
  const number = `${index + 1}. `;
  const below = ' '.repeat(number.length);
  const files = Map.groupBy(tests, ([file]) => file);
  const shown = [...files].map(([file, titles]) => {
    const names = titles.map(([, title]) => `${below}- \`${title}\``).join('\n');
    return `${below}\`${file}\`:\n${names}`;
  });
  const faults = cases.length === 0 ? [] : [`${below}Faults: ${quoted(cases)}.`];
  return number + [...shown, ...faults].join('\n\n').trimStart();
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
  await writeSection(join(out, 'trust.md'), trustPage, 'What holds', claimSection());
  await writeSection(runs, runsPage, 'Tests by promise', titleSection());
  if (faults.length > 0) {
    const texts = await Promise.all(faults.map((file) => readFile(file, 'utf8')));
    const report = mergeReports(texts.map((text) => JSON.parse(text) as FaultReport));
    await publishRun(runs, report, cases, 'npm run test:faults');
  }
}
