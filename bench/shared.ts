/**
 * The benchmark of the shared store: `node bench/shared.ts [--records 10000] [--rounds 3] [--seconds 3]
 * [--seed 1] [--only read,search-5] [--out FILE] [--stores DIR] [--profile DIR]`. Starts a separate
 * PostgreSQL, fills two databases, runs the built server and a bare handler on each, and prints a comparison;
 * then compares two servers with one. Exit code 1 if a target is missed or a response is wrong.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureAll, type Pair } from './measure.ts';
import type { Operation } from './operations.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { startBare, startDriver, startOurs } from './processes.ts';
import { waitUntilIdle } from './processor-time.ts';
import { createLines, formatTable } from './report.ts';
import { log, runBenchmark } from './run.ts';
import { measureCosts, measureScaling } from './shared-cores.ts';
import { formatProcessorTables, formatSharedSection } from './shared-report.ts';
import { readPostmasterPid, fillSharedStores, startShared } from './shared-stores.ts';
import { getStoresFolder, type CleanupSteps } from './stores.ts';

const writeOperations: readonly Operation[] = ['update', 'patch', 'create'];

function getTarget(operation: Operation): number {
  return writeOperations.includes(operation) ? 0.6 : 0.7;
}

async function run(options: BenchOptions, cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const { records, seed, selectedOperations, profile } = options;
  const folder = await getStoresFolder(options.stores, cleanupSteps);
  const port = await startShared(folder, cleanupSteps);
  const stores = await fillSharedStores(folder, port, { records, seed, bare: true }, log);
  const start = async (name: string) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Both servers accept the same token.
    if (name !== 'first') await copyFile(join(folder, 'first/token'), join(dataDir, 'token'));
    const server = await startOurs(dataDir, name === 'first' ? profile : undefined, stores.ours);
    cleanupSteps.push(() => server.stop());
    await waitUntilIdle(server);
    return server;
  };
  const ours = await start('first');
  const bare = await startBare(stores.bare);
  cleanupSteps.push(() => bare.stop());
  const driver = startDriver();
  cleanupSteps.push(() => driver.stop());
  const pair: Pair = { records, sample: stores.sample, files: [], ours, bare };
  const lines = createLines(await measureAll(driver, [pair], options, log), [pair], getTarget);
  process.stdout.write(`${formatTable(lines)}\n`);
  const coresOptions = { ...options, sample: stores.sample, postmaster: await readPostmasterPid(folder) };
  const readOperations = selectedOperations.filter((operation) => !writeOperations.includes(operation));
  const costs = await measureCosts(driver, ours, selectedOperations, coresOptions);
  const secondServer = await start('second');
  const cores = {
    costs,
    scalingRates: await measureScaling(
      driver,
      [ours, secondServer],
      readOperations.slice(0, 2),
      coresOptions,
    ),
  };
  process.stdout.write(`${formatProcessorTables(cores)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/shared.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(
      options.out,
      performancePage,
      'The API over a shared store',
      formatSharedSection(lines, cores, options, command),
    );
  }
  return lines.every(({ isReached }) => isReached);
}

await runBenchmark((cleanupSteps) => run(readOptions(process.argv.slice(2)), cleanupSteps));
