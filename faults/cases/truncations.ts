import { copyFileSync, statSync, truncateSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { expectRefusal } from '../bad-start.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { createSampleStore } from '../sample-store.ts';

const counts = { full: 200, short: 20 } as const;

/** The end of a file is missing. */
export const truncations: FaultCase = {
  name: 'truncations',
  claim: 'A file whose end is missing is refused as truncated, wherever it ends, and stays unchanged.',
  long: true,
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const random = new Random(seed, 0, 4);
  const [goodFolder, badFolder] = [join(folder, 'good'), join(folder, 'bad')];
  await createSampleStore(goodFolder, 60, seed);
  await cp(goodFolder, badFolder, { recursive: true });
  const file = join(badFolder, 'records.db');
  const { size } = statSync(join(goodFolder, 'records.db'));
  for (let round = 0; round < counts[runLength]; round += 1) {
    copyFileSync(join(goodFolder, 'records.db'), file);
    // Every tenth file ends in the header.
    const length = round % 10 === 0 ? random.integerBetween(0, 100) : random.integerBetween(101, size - 1);
    truncateSync(file, length);
    const code = await expectRefusal(badFolder, file, `a file cut off at byte ${length} of ${size}`);
    if (code !== (length === 0 ? 'empty' : 'truncated'))
      throw new FaultError(`A file cut off at byte ${length} of ${size} was told as ${code}`);
    tally.add('truncations refused', 1);
  }
  return { result: 'passed', figures: tally.figures };
}
