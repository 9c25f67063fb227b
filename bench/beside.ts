/**
 * What reads of one record wait beside whatever goes through the records as a whole: `node bench/beside.ts
 * [--large 1000000] [--seconds 10] [--seed 1] [--works TEXT] [--out FILE] [--stores DIR] [--profile DIR]`. `--works` takes
 * those alone that have the text in their name. Exit code 1 where a target is missed or an answer is wrong.
 */
import { parseArgs } from 'node:util';
import { buildBundles, isStale } from '../scripts/build.ts';
import { performancePage, writeSection } from '../scripts/document.ts';
import { besideSection, besideTable, isReached } from './beside-report.ts';
import { measureBeside } from './beside-works.ts';
import { log, runBenchmark } from './run.ts';
import { storesFolder, filledStores, type Cleanup } from './stores.ts';

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

async function run(cleanup: Cleanup): Promise<boolean> {
  if (isStale()) await buildBundles(['server']);
  const seed = Number(values.seed);
  const folder = await storesFolder(values.stores, cleanup);
  const stores = await filledStores(folder, Number(values.large), seed, log);
  const given = { seconds: Number(values.seconds), seed, only: values.works, profile: values.profile };
  const figures = await measureBeside(stores, given, log);
  process.stdout.write(`${besideTable(figures)}\n`);
  if (values.out !== undefined) {
    const command = ['npx node bench/beside.ts', ...process.argv.slice(2)].join(' ');
    const section = besideSection(figures, { records: stores.records, ...given, command });
    await writeSection(values.out, performancePage, 'Reads beside other work', section);
  }
  return figures.every(isReached);
}

await runBenchmark(run);
