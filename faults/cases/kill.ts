import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../server/demo/random.ts';
import { expectAgreement, expectAnswers } from '../expect.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const cycles = { full: 200, short: 20 } as const;

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
  let ledger = new Ledger();
  let data = '';
  for (let cycle = 0; cycle < cycles[extent]; cycle += 1) {
    if (cycle % cyclesOfFolder === 0) {
      ledger = new Ledger();
      data = join(folder, `data-${cycle}`);
      await mkdir(data, { mode: 0o700 });
    }
    const server = await startServer(data);
    tally.add('versions read back', await expectAnswers(server, ledger));
    const before = ledger.acknowledged.size;
    const writers = startWriters({ server, ledger, seed, stream: cycle });
    await ledger.reached(before + random.between(1, 300));
    await setTimeout(random.between(0, 10));
    await server.kill();
    await writers.stop();
    tally.add('acknowledged writes', ledger.acknowledged.size - before);
    tally.add('unanswered writes', ledger.open.size);
    const copy = join(folder, 'copy');
    await copyStore(data, copy);
    tally.add('of these stored', await expectAgreement(copy, ledger));
    tally.add('cycles', 1);
    if ((cycle + 1) % 20 === 0) say(`${cycle + 1} of ${cycles[extent]} cycles`);
  }
  return { result: 'passed', figures: tally.figures };
}
