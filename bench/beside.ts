/**
 * Measures reads of one record while other work goes through all records: `node bench/beside.ts [--large
 * 1000000] [--seconds 10] [--seed 1] [--works TEXT] [--out FILE] [--stores DIR] [--profile DIR]`. `--works`
 * selects the works whose title contains the text. Exit code 1 if a target is missed or a response is wrong.
 */
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { formatParallelSection, formatParallelTable, isReached } from './beside-report.ts';
import { measureParallelReads } from './beside-works.ts';
import { log, runBenchmark } from './run.ts';
import { getStoresFolder, fillStores, type CleanupSteps } from './stores.ts';

const { values } = parseArgs({
  options: {
    large: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    works: { type: 'string', default: '' },
    out: { type: 'string' },
    stores: { type: 'string' },
    profile: { type: 'string' },
  },
});

async function run(cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const seed = Number(values.seed);
  const folder = await getStoresFolder(values.stores, cleanupSteps);
  const stores = await fillStores(folder, Number(values.large), seed, log);
  const options = { seconds: Number(values.seconds), seed, titlePart: values.works, profile: values.profile };
  const figures = await measureParallelReads(stores, options, log);
  process.stdout.write(`${formatParallelTable(figures)}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/beside.ts', ...process.argv.slice(2)].join(' ');
    const section = formatParallelSection(figures, { records: stores.records, ...options, command });
    await writeSection(values.out, performancePage, 'Reads under load', section);
  }
  return figures.every(isReached);
}

await runBenchmark(run);
