/**
 * Searches of a large shared store: `node bench/shared-large.ts [--large 1000000] [--rounds 15] [--seed 1] [--works EXPRESSION]
 * [--out FILE] [--stores DIR] [--profile DIR]`. Starts a PostgreSQL of its own, fills it, and asks the built server. `--works`
 * takes those alone whose name matches a regular expression. Exit code 1 where a target is missed or an answer is wrong.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { startOurs } from './processes.ts';
import { log, runBenchmark } from './run.ts';
import { readSample } from './sample.ts';
import { isWithin, measureShared } from './shared-measures.ts';
import { largeSharedSection, largeSharedTable } from './shared-report.ts';
import { finderReady, usedByAll } from './processor-time.ts';
import { postmasterOf, sharedStores, startShared } from './shared-stores.ts';
import { storesFolder, type Cleanup } from './stores.ts';

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

async function run(cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const [records, seed, rounds] = [values.large, values.seed, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = await storesFolder(values.stores, cleanup);
  const port = await startShared(folder, cleanup);
  const stores = await sharedStores(folder, port, { records, seed, bare: false }, log);
  const dataDir = join(folder, 'first');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const server = await startOurs(dataDir, values.profile, stores.ours);
  cleanup.push(() => server.stop());
  const only = new RegExp(values.works);
  if (only.test('the finder')) await finderReady(server);
  const sample = readSample(stores.sample);
  const postmaster = await postmasterOf(folder);
  const figures = await measureShared(
    server,
    sample,
    { rounds, seed, only, used: () => usedByAll(postmaster) },
    log,
  );
  process.stdout.write(`${largeSharedTable(figures)}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/shared-large.ts', ...process.argv.slice(2)].join(' ');
    const section = largeSharedSection(figures, { records, rounds, seed, command });
    await writeSection(values.out, performancePage, 'Searches of a large shared store', section);
  }
  return figures.every(isWithin);
}

await runBenchmark(run);
