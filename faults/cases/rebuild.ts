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
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';

const kills = { full: 20, short: 4 } as const;

/** The day on which all records are judged. */
const today = Date.UTC(2026, 10, 22, 12);

const script = resolve(import.meta.dirname, '../../server/testing/rebuild-process.ts');

/** Rows of another program are made anew by processes that are killed one after the other. */
export const rebuild: FaultCase = {
  name: 'rebuild',
  claim:
    'A rebuild of the derived rows that is killed again and again is gone on with, and ends with the rows that a fresh import of the same records has.',
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const { store, service } = await openRecords(folder, { clock: () => today });
  await loadTraining(service, 'migration', { author: 'fault', seed });
  const counts = Object.values(await store.count());
  await store.close();
  const path = join(folder, 'records.db');
  const wanted = derivedRowsIn(path);
  ageDerivedRows(path);
  const random = new Random(seed, 0, 8);
  const records = counts.reduce((sum, count) => sum + count, 0);
  // Far enough apart for all kills to come before the end.
  const most = Math.floor(records / kills[extent] / 3);
  for (let one = 0; one < kills[extent]; one += 1) {
    if ((await rebuilt(folder, random.between(1, most))) === 'ended') break;
    tally.add('kills', 1);
    if ((one + 1) % 5 === 0) say(`${one + 1} of ${kills[extent]} kills`);
  }
  if (tally.figures.kills !== kills[extent])
    throw new FaultError('It ended before the last kill.', tally.figures);
  if ((await rebuilt(folder, Infinity)) !== 'ended') throw new FaultError('It did not end.', tally.figures);
  if (!isDeepStrictEqual(derivedRowsIn(path), wanted)) {
    throw new FaultError('Other rows stand than those of a fresh import.', tally.figures);
  }
  await expectVerified(folder);
  tally.add('records', records);
  return { result: 'passed', figures: tally.figures };
}

/** Runs the rebuild, and kills it behind so many slices; answers how it ended. */
async function rebuilt(folder: string, slices: number): Promise<'ended' | 'killed'> {
  const child = spawn(process.execPath, [script, folder, String(today)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let left = slices;
  createInterface(child.stdout).on('line', () => {
    left -= 1;
    if (left === 0) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return code === 0 ? 'ended' : 'killed';
}
