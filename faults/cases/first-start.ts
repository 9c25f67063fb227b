import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, countReadable } from '../expect.ts';
import type { FaultCase, FaultContext, FaultResult } from '../fault-case.ts';
import { countCallsOfStart, startAndDie } from '../killed-start.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { startWriters } from '../writer.ts';

const cuts = { full: 50, short: 5 } as const;

/** Percent of writes that reach the disk before they are synced. */
const writebacks = [0, 30, 60] as const;

/** The power fails while a server creates its data folder. */
export const firstStart: FaultCase = {
  name: 'first-start',
  claim:
    'A first start whose power fails at any of its writes leaves nothing that prevents the next start: that one succeeds and stores records.',
  long: true,
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const calls = await countCallsOfStart(await Disk.make(join(folder, 'whole'), shim.library));
  tally.add('writes and syncs of a first start', calls);
  const random = new Random(seed, 0, 8);
  for (let round = 0; round < cuts[runLength]; round += 1) {
    const diskFolder = join(folder, `cut-${round}`);
    const disk = await Disk.make(diskFolder, shim.library);
    const writeback = writebacks[round % writebacks.length] ?? 0;
    await startAndDie(disk, { seed: seed + round, writeback, killAt: random.integerBetween(1, calls) });
    await disk.cutPower();
    tally.add('power cuts', 1);
    const server = await startServer(disk.data);
    const ledger = new Ledger();
    const hasEnough = () => ledger.acknowledged.size >= 20;
    await startWriters({ server, ledger, seed, stream: round, hasEnough }).done;
    tally.add('versions read back', await countReadable(server, ledger));
    await server.stop();
    await expectAgreement(disk.data, ledger);
    await rm(diskFolder, { recursive: true });
  }
  return { result: 'passed', figures: tally.figures };
}
