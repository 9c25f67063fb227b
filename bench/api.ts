/**
 * The API benchmark: `node bench/api.ts [--records 10000] [--large 1000000] [--rounds 3] [--seconds 3]
 * [--seed 1] [--only read,search-5] [--out FILE] [--stores DIR] [--profile DIR]`. Fills two stores, runs the
 * built server and a bare handler on each, and prints a comparison. Exit code 1 if a target is missed or a
 * response is wrong.
 */
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureAll, type Pair } from './measure.ts';
import { operationInfos } from './operations.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { startBare, startDriver, startOurs } from './processes.ts';
import { waitUntilIdle } from './processor-time.ts';
import { createLines, formatSection, formatTable } from './report.ts';
import { log, runBenchmark } from './run.ts';
import { fillStores, getStoresFolder, type CleanupSteps } from './stores.ts';

async function startPair(
  folder: string,
  records: number,
  { seed, profile }: BenchOptions,
  cleanupSteps: CleanupSteps,
): Promise<Pair> {
  const { dataDir, sample } = await fillStores(folder, records, seed, log);
  const ours = await startOurs(dataDir, profile);
  cleanupSteps.push(() => ours.stop());
  await waitUntilIdle(ours);
  const bare = await startBare(join(dataDir, 'bare.db'));
  cleanupSteps.push(() => bare.stop());
  const files = ['records.db', 'bare.db'].map((name) => join(dataDir, name));
  return { records, sample, files, ours, bare };
}

async function run(options: BenchOptions, cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const folder = await getStoresFolder(options.stores, cleanupSteps);
  const pairs: Pair[] = [];
  for (const records of [options.records, options.large]) {
    if (records > 0) pairs.push(await startPair(folder, records, options, cleanupSteps));
  }
  const driver = startDriver();
  cleanupSteps.push(() => driver.stop());
  const lines = createLines(
    await measureAll(driver, pairs, options, log),
    pairs,
    (operation) => operationInfos[operation].target,
  );
  process.stdout.write(`${formatTable(lines)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/api.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(options.out, performancePage, 'The API', formatSection(lines, options, command));
  }
  return lines.every(({ isReached }) => isReached);
}

// An interrupt ends the child processes. The calls that wait for them fail, and the folder is removed below.
process.once('SIGINT', () => {
  process.exitCode = 130;
});
await runBenchmark((cleanupSteps) => run(readOptions(process.argv.slice(2)), cleanupSteps));
