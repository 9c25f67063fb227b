import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { draftClinic } from '../../server/demo/generate.ts';
import { Random } from '../../server/demo/random.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { importRecords } from '../load/import.ts';
import { openReader, Timings } from '../load/timings.ts';
import { startServer } from '../server.ts';

const records = { full: 100_000, short: 5000 } as const;

/** Records that exist before the import, of at least this many patients. */
const initial = { records: 2000, patients: 200 } as const;

/** Highest 99th percentile of a search, in milliseconds. */
const maxMs = 50;

/** Milliseconds between two searches. */
const pauseMs = 2;

/** A large import does not block other requests. */
export const importLatency: FaultCase = {
  name: 'import-latency',
  claim:
    'During an import, single searches of another client, by patient and over all Compositions, take less than 50 ms (99th percentile).',
  timed: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  await importRecords(server, initial.records, 1);
  const random = new Random(seed, 0, 0);
  const drafts = draftClinic({ patients: initial.patients });
  const patients = [...new Set(Array.from(drafts, ({ patient }) => patient.id))];
  const searches = {
    'by patient': () => `CarePlan?subject=${random.pick(patients)}`,
    'first page of a status': () => 'Composition?status=final&_count=20',
  };
  const reader = openReader(server);
  const timedSearches = Object.entries(searches).map(([label, createQuery]) => ({
    label,
    createQuery,
    times: new Timings(),
  }));
  for (const { createQuery } of timedSearches) await reader.time(`${fhirPath}/${createQuery()}`);
  const startTime = performance.now();
  const state = { isDone: false };
  const importing = importRecords(server, records[runLength], initial.patients * 10).finally(() => {
    state.isDone = true;
  });
  // The await below reports an error.
  importing.catch(() => undefined);
  while (!state.isDone) {
    for (const { createQuery, times } of timedSearches) {
      times.add(await reader.time(`${fhirPath}/${createQuery()}`));
      await setTimeout(pauseMs);
    }
    const [firstSearch] = timedSearches;
    if (firstSearch && firstSearch.times.count % 2000 === 0)
      say(`${firstSearch.times.count} searches of each kind`);
  }
  await importing;
  tally.add('records imported', records[runLength]);
  tally.add('seconds of the import', Math.round((performance.now() - startTime) / 100) / 10);
  for (const { label, times } of timedSearches) {
    tally.add(`searches ${label}`, times.count);
    tally.add(`ms ${label}, median`, times.quantile(0.5));
    tally.add(`ms ${label}, 99th percentile`, times.quantile(0.99));
    tally.add(`ms ${label}, longest`, times.quantile(1));
  }
  reader.close();
  await server.stop();
  const slowSearches = timedSearches
    .filter(({ times }) => !(times.quantile(0.99) < maxMs))
    .map(({ label }) => label);
  if (slowSearches.length > 0) throw new FaultError(`Searches took too long: ${slowSearches.join(', ')}`);
  return { result: 'passed', figures: tally.figures };
}
