import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { demoPatients } from '../../server/demo/generate.ts';
import { Random } from '../../server/demo/random.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { importRecords } from '../load/import.ts';
import { openReader, Timings } from '../load/timings.ts';
import { startServer } from '../server.ts';

const records = { full: 100_000, short: 5000 } as const;

/** Records that are there before, of this many patients at least. */
const before = { records: 2000, patients: 200 } as const;

/** Milliseconds of a search, 99th percentile. */
const limit = 50;

/** Milliseconds between two searches. */
const pause = 2;

/** An import of many records leaves room for the others. */
export const importLatency: FaultCase = {
  name: 'import-latency',
  claim:
    'While an import runs, single searches of another client, by patient and over all Compositions, take less than 50 ms (99th percentile).',
  timed: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  await importRecords(server, before.records, 1);
  const random = new Random(seed, 0, 0);
  const patients = demoPatients({ patients: before.patients }).map(({ id }) => id);
  const searches = {
    'by patient': () => `CarePlan?subject=${random.pick(patients)}`,
    'first page of a status': () => 'Composition?status=final&_count=20',
  };
  const reader = openReader(server);
  const timed = Object.entries(searches).map(([what, make]) => ({ what, make, times: new Timings() }));
  for (const { make } of timed) await reader.time(`${fhirPath}/${make()}`);
  const started = performance.now();
  const state = { over: false };
  const importing = importRecords(server, records[extent], before.patients * 10).finally(() => {
    state.over = true;
  });
  // What fails meanwhile is told below.
  importing.catch(() => undefined);
  while (!state.over) {
    for (const { make, times } of timed) {
      times.add(await reader.time(`${fhirPath}/${make()}`));
      await setTimeout(pause);
    }
    const [first] = timed;
    if (first && first.times.count % 2000 === 0) say(`${first.times.count} searches of each kind`);
  }
  await importing;
  tally.add('records imported', records[extent]);
  tally.add('seconds of the import', Math.round((performance.now() - started) / 100) / 10);
  for (const { what, times } of timed) {
    tally.add(`searches ${what}`, times.count);
    tally.add(`ms ${what}, median`, times.quantile(0.5));
    tally.add(`ms ${what}, 99th percentile`, times.quantile(0.99));
    tally.add(`ms ${what}, longest`, times.quantile(1));
  }
  reader.close();
  await server.stop();
  const slow = timed.filter(({ times }) => !(times.quantile(0.99) < limit)).map(({ what }) => what);
  if (slow.length > 0) throw new FaultError(`Searches took too long: ${slow.join(', ')}`);
  return { result: 'passed', figures: tally.figures };
}
