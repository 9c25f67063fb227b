/**
 * Measures a small and a large store without comparison: `node bench/large.ts [--records 10000] [--large
 * 1000000] [--rounds 3] [--seed 1] [--out FILE] [--stores DIR]`. Prints each time and its ratio between the
 * sizes. Exit code 1 if a target is missed or a response is wrong.
 */
import { measureBackground, type BackgroundFigure } from './background.ts';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureStore, type LargeFigures } from './large-measures.ts';
import { formatBackgroundTable, isReached, formatLargeSection, formatLargeTable } from './large-report.ts';
import { readOptions, type BenchOptions } from './options.ts';

import { log, runBenchmark } from './run.ts';
import { fillStores, getStoresFolder, type CleanupSteps } from './stores.ts';

async function run(options: BenchOptions, cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const folder = await getStoresFolder(options.stores, cleanupSteps);
  const sizes = [options.records, options.large].filter((records) => records > 0);
  const figures: LargeFigures[] = [];
  const background: BackgroundFigure[] = [];
  for (const records of sizes) {
    const stores = await fillStores(folder, records, options.seed, log);
    figures.push(await measureStore(stores, options, log));
    background.push(...(await measureBackground(stores, log)));
  }
  process.stdout.write(`${formatLargeTable(sizes, figures)}\n\n${formatBackgroundTable(background)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/large.ts', ...process.argv.slice(2)].join(' ');
    const section = formatLargeSection(sizes, figures, background, options, command);
    await writeSection(options.out, performancePage, 'Large stores', section);
  }
  return background.every(isReached);
}

await runBenchmark((cleanupSteps) => run(readOptions(process.argv.slice(2)), cleanupSteps));
