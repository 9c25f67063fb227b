import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { expectAgreement, countReadable } from '../expect.ts';
import type { FaultCase, FaultContext, FaultResult } from '../fault-case.ts';
import { killWhileWriting } from '../kill-while-writing.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';

const cycles = { full: 200, short: 4 } as const;

/** Cycles for one folder. New folders keep the store small, because each cycle compares all of it. */
const cyclesPerFolder = 25;

/**
 * The process is killed during the writes of eight clients. Acknowledged writes must be stored afterwards.
 */
export const kill: FaultCase = {
  name: 'kill',
  claim:
    'After kill -9 while eight clients write, every acknowledged write is stored byte for byte, no refused one is, and no transaction is partial.',
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const random = new Random(seed, 0, 0);
  for (let firstCycle = 0; firstCycle < cycles[runLength]; firstCycle += cyclesPerFolder) {
    const ledger = new Ledger();
    const data = join(folder, `data-${firstCycle}`);
    const copy = join(folder, `copy-${firstCycle}`);
    await mkdir(data, { mode: 0o700 });
    let server = await startServer(data);
    for (
      let cycle = firstCycle;
      cycle < Math.min(firstCycle + cyclesPerFolder, cycles[runLength]);
      cycle += 1
    ) {
      await killWhileWriting({ server, ledger, tally, random, seed, stream: cycle });
      await copyStore(data, copy);
      const [storedCount, restarted] = await Promise.all([expectAgreement(copy, ledger), startServer(data)]);
      tally.add('of these stored', storedCount);
      tally.add('versions read back', await countReadable(restarted, ledger));
      tally.add('cycles', 1);
      server = restarted;
    }
    await server.kill();
    say(`${Math.min(firstCycle + cyclesPerFolder, cycles[runLength])} of ${cycles[runLength]} cycles`);
  }
  return { result: 'passed', figures: tally.figures };
}
