/**
 * Measures a small and a large store by themselves: `node bench/large.ts [--records 10000] [--large 1000000]
 * [--rounds 3] [--seed 1] [--out FILE] [--stores DIR]`. Prints what takes how many times as long. Exit code 1 where a
 * target is missed or an answer is wrong.
 */
import { measureBackground, type BackgroundFigure } from './background.ts';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureStore, type LargeFigures } from './large-measures.ts';
import { backgroundTable, isReached, largeSection, largeTable } from './large-report.ts';
import { readOptions, type BenchOptions } from './options.ts';

import { log, runBenchmark } from './run.ts';
import { filledStores, storesFolder, type Cleanup } from './stores.ts';

async function run(options: BenchOptions, cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const folder = await storesFolder(options.stores, cleanup);
  const sizes = [options.records, options.large].filter((records) => records > 0);
  const figures: LargeFigures[] = [];
  const background: BackgroundFigure[] = [];
  for (const records of sizes) {
    const stores = await filledStores(folder, records, options.seed, log);
    figures.push(await measureStore(stores, options, log));
    background.push(...(await measureBackground(stores, log)));
  }
  process.stdout.write(`${largeTable(sizes, figures)}\n\n${backgroundTable(background)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/large.ts', ...process.argv.slice(2)].join(' ');
    const section = largeSection(sizes, figures, background, options, command);
    await writeSection(options.out, performancePage, 'Large stores', section);
  }
  return background.every(isReached);
}

await runBenchmark((cleanup) => run(readOptions(process.argv.slice(2)), cleanup));
