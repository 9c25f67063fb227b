import { copyFileSync, statSync, truncateSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { expectRefusal } from '../bad-start.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { makeSample } from '../sample-store.ts';

const places = { full: 200, short: 20 } as const;

/** The end of a file is missing, from some byte on. */
export const truncations: FaultCase = {
  name: 'truncations',
  claim: 'A file whose end is missing is refused as cut off, wherever it ends, and is left as it is.',
  long: true,
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const random = new Random(seed, 0, 4);
  const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
  await makeSample(good, 60, seed);
  await cp(good, bad, { recursive: true });
  const file = join(bad, 'records.db');
  const { size } = statSync(join(good, 'records.db'));
  for (let place = 0; place < places[extent]; place += 1) {
    copyFileSync(join(good, 'records.db'), file);
    // Every tenth ends in the header.
    const end = place % 10 === 0 ? random.between(0, 100) : random.between(101, size - 1);
    truncateSync(file, end);
    const fault = await expectRefusal(bad, file, `a file cut off at byte ${end} of ${size}`);
    if (fault !== (end === 0 ? 'empty' : 'truncated'))
      throw new FaultError(`A file cut off at byte ${end} of ${size} was told as ${fault}`);
    tally.add('truncations refused', 1);
  }
  return { result: 'passed', figures: tally.figures };
}
