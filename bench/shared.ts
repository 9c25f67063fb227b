/**
 * The benchmark of the shared store: `node bench/shared.ts [--records 10000] [--rounds 3] [--seconds 3] [--seed 1]
 * [--only read,search-5] [--out FILE] [--stores DIR] [--profile DIR]`. Starts a PostgreSQL of its own, fills two databases, runs
 * the built server and a bare handler on each, and prints how they compare; then two servers beside one. Exit code 1
 * where a target is missed or an answer is wrong.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { measureAll, type Pair } from './measure.ts';
import type { Operation } from './operations.ts';
import { readOptions, type BenchOptions } from './options.ts';
import { startBare, startDriver, startOurs } from './processes.ts';
import { settled } from './processor-time.ts';
import { linesOf, tableOf } from './report.ts';
import { log, runBenchmark } from './run.ts';
import { costsOf, spreadOf } from './shared-cores.ts';
import { coresTables, sharedSection } from './shared-report.ts';
import { postmasterOf, sharedStores, startShared } from './shared-stores.ts';
import { storesFolder, type Cleanup } from './stores.ts';

const writes: readonly Operation[] = ['update', 'patch', 'create'];

function targetOf(operation: Operation): number {
  return writes.includes(operation) ? 0.6 : 0.7;
}

async function run(options: BenchOptions, cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const { records, seed, only, profile } = options;
  const folder = await storesFolder(options.stores, cleanup);
  const port = await startShared(folder, cleanup);
  const stores = await sharedStores(folder, port, { records, seed, bare: true }, log);
  const start = async (name: string) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Requests go to either with the one token.
    if (name !== 'first') await copyFile(join(folder, 'first/token'), join(dataDir, 'token'));
    const server = await startOurs(dataDir, name === 'first' ? profile : undefined, stores.ours);
    cleanup.push(() => server.stop());
    await settled(server);
    return server;
  };
  const ours = await start('first');
  const bare = await startBare(stores.bare);
  cleanup.push(() => bare.stop());
  const driver = startDriver();
  cleanup.push(() => driver.stop());
  const pair: Pair = { records, sample: stores.sample, files: [], ours, bare };
  const lines = linesOf(await measureAll(driver, [pair], options, log), [pair], targetOf);
  process.stdout.write(`${tableOf(lines)}\n`);
  const given = { ...options, sample: stores.sample, postmaster: await postmasterOf(folder) };
  const reads = only.filter((one) => !writes.includes(one));
  const costs = await costsOf(driver, ours, only, given);
  const second = await start('second');
  const cores = { costs, spreads: await spreadOf(driver, [ours, second], reads.slice(0, 2), given) };
  process.stdout.write(`${coresTables(cores)}\n`);
  if (options.out !== undefined) {
    const command = ['npx node bench/shared.ts', ...process.argv.slice(2)].join(' ');
    await writeSection(
      options.out,
      performancePage,
      'The API over a shared store',
      sharedSection(lines, cores, options, command),
    );
  }
  return lines.every(({ reached }) => reached);
}

await runBenchmark((cleanup) => run(readOptions(process.argv.slice(2)), cleanup));
