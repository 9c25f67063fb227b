import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../server/demo/random.ts';
import { loadTraining } from '../../server/import/load-training.ts';
import { openRecords } from '../../server/start.ts';
import { ageDerivedRows, derivedRowsIn } from '../../server/testing/derived-rows.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';

const kills = { full: 20, short: 4 } as const;

/** The day on which all records are validated. */
const today = Date.UTC(2026, 10, 22, 12);

const script = resolve(import.meta.dirname, '../../server/testing/rebuild-process.ts');

/** Processes that are killed one after another rebuild the rows of another program. */
export const rebuild: FaultCase = {
  name: 'rebuild',
  claim:
    'A rebuild of the derived rows that is killed again and again is completed, with the same rows as a fresh import of the same records.',
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const { store, service } = await openRecords(folder, { clock: () => today });
  await loadTraining(service, 'migration', { author: 'fault', seed });
  const counts = Object.values(await store.count());
  await store.close();
  const path = join(folder, 'records.db');
  const expectedRows = derivedRowsIn(path);
  ageDerivedRows(path);
  const random = new Random(seed, 0, 8);
  const records = counts.reduce((sum, count) => sum + count, 0);
  // Few enough batches between kills that all kills come before the end.
  const maxBatches = Math.floor(records / kills[runLength] / 3);
  for (let round = 0; round < kills[runLength]; round += 1) {
    if ((await rebuildUntilKilled(folder, random.integerBetween(1, maxBatches))) === 'ended') break;
    tally.add('kills', 1);
    if ((round + 1) % 5 === 0) say(`${round + 1} of ${kills[runLength]} kills`);
  }
  if (tally.figures.kills !== kills[runLength])
    throw new FaultError('It ended before the last kill.', tally.figures);
  if ((await rebuildUntilKilled(folder, Infinity)) !== 'ended')
    throw new FaultError('It did not end.', tally.figures);
  if (!isDeepStrictEqual(derivedRowsIn(path), expectedRows)) {
    throw new FaultError('Other rows stand than those of a fresh import.', tally.figures);
  }
  await expectVerified(folder);
  tally.add('records', records);
  return { result: 'passed', figures: tally.figures };
}

/** Runs the rebuild and kills it after a number of batches. Returns how it ended. */
async function rebuildUntilKilled(folder: string, batches: number): Promise<'ended' | 'killed'> {
  const child = spawn(process.execPath, [script, folder, String(today)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let remainingBatches = batches;
  createInterface(child.stdout).on('line', () => {
    remainingBatches -= 1;
    if (remainingBatches === 0) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return code === 0 ? 'ended' : 'killed';
}
