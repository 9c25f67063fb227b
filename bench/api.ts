/**
 * The API benchmark: `node bench/api.ts [--records 10000] [--large 1000000] [--rounds 3] [--seconds 3] [--seed 1]
 * [--only read,search-5] [--out FILE] [--stores DIR] [--profile DIR]`. Fills two stores, runs the built server and a bare handler on each, and
 * prints how they compare. Exit code 1 where a target is missed or an answer is wrong.
 */
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureAll, type Pair } from './measure.ts';
import { measured } from './operations.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { startBare, startDriver, startOurs } from './processes.ts';
import { settled } from './processor-time.ts';
import { linesOf, sectionOf, tableOf } from './report.ts';
import { log, runBenchmark } from './run.ts';
import { filledStores, storesFolder, type Cleanup } from './stores.ts';

async function startPair(
  folder: string,
  records: number,
  { seed, profile }: BenchOptions,
  cleanup: Cleanup,
): Promise<Pair> {
  const { dataDir, sample } = await filledStores(folder, records, seed, log);
  const ours = await startOurs(dataDir, profile);
  cleanup.push(() => ours.stop());
  await settled(ours);
  const bare = await startBare(join(dataDir, 'bare.db'));
  cleanup.push(() => bare.stop());
  const files = ['records.db', 'bare.db'].map((name) => join(dataDir, name));
  return { records, sample, files, ours, bare };
}

async function run(options: BenchOptions, cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const folder = await storesFolder(options.stores, cleanup);
  const pairs: Pair[] = [];
  for (const records of [options.records, options.large]) {
    if (records > 0) pairs.push(await startPair(folder, records, options, cleanup));
  }
  const driver = startDriver();
  cleanup.push(() => driver.stop());
  const lines = linesOf(await measureAll(driver, pairs, options, log), pairs, (one) => measured[one].target);
  process.stdout.write(`${tableOf(lines)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/api.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(options.out, performancePage, 'The API', sectionOf(lines, options, command));
  }
  return lines.every(({ reached }) => reached);
}

// An interrupt ends the children; what waits for them then fails, and the folder is removed below.
process.once('SIGINT', () => {
  process.exitCode = 130;
});
await runBenchmark((cleanup) => run(readOptions(process.argv.slice(2)), cleanup));
