/**
 * Measures the repair and validation of a store: `node bench/mend.ts [--records 10000] [--large 1000000]
 * [--seed 1] [--out FILE] [--stores DIR]`. Covers a bulk run and its undo, and the validation of a large
 * store by all rules and twenty checks with parallel searches. Prints a table. Exit code 1 if a target is
 * missed. `--large 0` skips the large store, `--records 0` the run.
 */
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { formatConditions, performancePage, writeSection } from '../scripts/document.ts';
import { formatVersions } from '../scripts/versions.ts';
import type { MendLine } from './mend-line.ts';
import { measureJudging } from './mend-judging.ts';
import { measureRun } from './mend-run.ts';
import { log, runBenchmark } from './run.ts';
import { fillStores, getStoresFolder, type CleanupSteps } from './stores.ts';
import { formatMarkdownTable, formatReached } from './table.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    stores: { type: 'string' },
  },
});

async function run(cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const [records, large, seed] = [values.records, values.large, values.seed].map(Number);
  const lines: MendLine[] = [];
  if (records) lines.push(...(await measureRun(records, cleanupSteps, log)));
  if (large) {
    const folder = await getStoresFolder(values.stores, cleanupSteps);
    lines.push(...(await measureJudging(await fillStores(folder, large, seed ?? 1, log), log)));
  }
  const table = formatMarkdownTable(
    ['', 'Figure', 'Target', 'Reached'],
    lines.map(({ title, figure, target, isReached }) => [title, figure, target, formatReached(isReached)]),
  );
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/mend.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(values.out, performancePage, 'Editing and checking', formatSection(table, command));
  }
  return lines.every(({ isReached }) => isReached);
}

function formatSection(table: string, command: string): string {
  return `The page's own code runs a bulk edit and its undo: one request for each record, with its result stored. The
preceding dry run is not counted. A large store is checked in the background with the built-in rules and with twenty
custom checks that are turned on at the same time, from the request until the end, while another process searches.

${table}

${formatConditions()}
- Versions: ${formatVersions()}
- Seed: ${values.seed}
- Command: \`${command}\`
`;
}

await runBenchmark(run);
