/**
 * Measures searches of a large shared store: `node bench/shared-large.ts [--large 1000000] [--rounds 15]
 * [--seed 1] [--works EXPRESSION] [--out FILE] [--stores DIR] [--profile DIR]`. Starts a separate PostgreSQL,
 * fills it, and sends requests to the built server. `--works` selects the works whose title matches a regular
 * expression. Exit code 1 if a target is missed or a response is wrong.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { startOurs } from './processes.ts';
import { log, runBenchmark } from './run.ts';
import { readSample } from './sample.ts';
import { isWithinLimits, measureShared } from './shared-measures.ts';
import { formatLargeStoreSection, formatLargeStoreTable } from './shared-report.ts';
import { waitForFinder, readGroupProcessorMs } from './processor-time.ts';
import { readPostmasterPid, fillSharedStores, startShared } from './shared-stores.ts';
import { getStoresFolder, type CleanupSteps } from './stores.ts';

const { values } = parseArgs({
  options: {
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    works: { type: 'string', default: '' },
    out: { type: 'string' },
    stores: { type: 'string' },
    profile: { type: 'string' },
  },
});

async function run(cleanupSteps: CleanupSteps): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const [records, seed, rounds] = [values.large, values.seed, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = await getStoresFolder(values.stores, cleanupSteps);
  const port = await startShared(folder, cleanupSteps);
  const stores = await fillSharedStores(folder, port, { records, seed, bare: false }, log);
  const dataDir = join(folder, 'first');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const server = await startOurs(dataDir, values.profile, stores.ours);
  cleanupSteps.push(() => server.stop());
  const titlePattern = new RegExp(values.works);
  if (titlePattern.test('the finder')) await waitForFinder(server);
  const sample = readSample(stores.sample);
  const postmaster = await readPostmasterPid(folder);
  const figures = await measureShared(
    server,
    sample,
    { rounds, seed, titlePattern, readProcessorMs: () => readGroupProcessorMs(postmaster) },
    log,
  );
  process.stdout.write(`${formatLargeStoreTable(figures)}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/shared-large.ts', ...process.argv.slice(2)].join(' ');
    const section = formatLargeStoreSection(figures, { records, rounds, seed, command });
    await writeSection(values.out, performancePage, 'Search on a large shared store', section);
  }
  return figures.every(isWithinLimits);
}

await runBenchmark(run);
