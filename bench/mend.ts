/**
 * Measures how a store is mended and judged: `node bench/mend.ts [--records 10000] [--large 1000000] [--seed 1] [--out FILE]
 * [--stores DIR]`. A bulk run and its undo, and a large store judged by all rules and twenty checks with searches beside.
 * Prints a table; exit code 1 where a target is missed. `--large 0` leaves the large store out, `--records 0` the run.
 */
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { conditions, performancePage, writeSection } from '../scripts/document.ts';
import { versions } from '../scripts/versions.ts';
import type { MendLine } from './mend-line.ts';
import { measureJudging } from './mend-judging.ts';
import { measureRun } from './mend-run.ts';
import { log, runBenchmark } from './run.ts';
import { filledStores, storesFolder, type Cleanup } from './stores.ts';
import { markdownTable, sayReached } from './table.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    stores: { type: 'string' },
  },
});

async function run(cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const [records, large, seed] = [values.records, values.large, values.seed].map(Number);
  const lines: MendLine[] = [];
  if (records) lines.push(...(await measureRun(records, cleanup, log)));
  if (large) {
    const folder = await storesFolder(values.stores, cleanup);
    lines.push(...(await measureJudging(await filledStores(folder, large, seed ?? 1, log), log)));
  }
  const table = markdownTable(
    ['', 'Figure', 'Target', 'Reached'],
    lines.map(({ what, figure, target, reached }) => [what, figure, target, sayReached(reached)]),
  );
  process.stdout.write(`${table}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/mend.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(values.out, performancePage, 'Mending and judging', section(table, command));
  }
  return lines.every(({ reached }) => reached);
}

function section(table: string, command: string): string {
  return `A bulk run is worked by the page's own code, and so is its undo: each record by a request of its own, its outcome kept.
The dry run before is not counted. A large store is judged in the background, by the program's rules and by twenty checks
that are switched on at once, from the order to do so until nothing is left; another process searches meanwhile.

${table}

${conditions()}
- Versions: ${versions()}
- Seed: ${values.seed}
- Command: \`${command}\`
`;
}

await runBenchmark(run);
