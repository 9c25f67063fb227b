import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { expectAgreement, expectAnswers } from '../expect.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { killWhileWriting } from '../kill-while-writing.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';

const cycles = { full: 200, short: 4 } as const;

/** Cycles on one folder; a new one then keeps the store small, so that all of it is compared each time. */
const cyclesOfFolder = 25;

/** The process is gone at some moment of the writes of eight clients; what it acknowledged is there afterwards. */
export const kill: FaultCase = {
  name: 'kill',
  claim:
    'After kill -9 while eight clients write, every acknowledged write is there byte for byte, no refused one is, and no transaction is halved.',
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const random = new Random(seed, 0, 0);
  for (let first = 0; first < cycles[extent]; first += cyclesOfFolder) {
    const ledger = new Ledger();
    const data = join(folder, `data-${first}`);
    const copy = join(folder, `copy-${first}`);
    await mkdir(data, { mode: 0o700 });
    let server = await startServer(data);
    for (let cycle = first; cycle < Math.min(first + cyclesOfFolder, cycles[extent]); cycle += 1) {
      await killWhileWriting({ server, ledger, tally, random, seed, stream: cycle });
      await copyStore(data, copy);
      const [stored, restarted] = await Promise.all([expectAgreement(copy, ledger), startServer(data)]);
      tally.add('of these stored', stored);
      tally.add('versions read back', await expectAnswers(restarted, ledger));
      tally.add('cycles', 1);
      server = restarted;
    }
    await server.kill();
    say(`${Math.min(first + cyclesOfFolder, cycles[extent])} of ${cycles[extent]} cycles`);
  }
  return { result: 'passed', figures: tally.figures };
}
