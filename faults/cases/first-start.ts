import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, expectAnswers } from '../expect.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { callsOfStart, startAndDie } from '../killed-start.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { startWriters } from '../writer.ts';

const cuts = { full: 50, short: 5 } as const;

/** Percent of writes that reach the disk before they are synced. */
const writebacks = [0, 30, 60] as const;

/** The power fails while a server makes its data folder. */
export const firstStart: FaultCase = {
  name: 'first-start',
  claim:
    'A first start whose power fails at any of its writes leaves nothing that hinders the next: that one starts and stores.',
  long: true,
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const calls = await callsOfStart(await Disk.make(join(folder, 'whole'), shim.library));
  tally.add('writes and syncs of a first start', calls);
  const random = new Random(seed, 0, 8);
  for (let one = 0; one < cuts[extent]; one += 1) {
    const place = join(folder, `cut-${one}`);
    const disk = await Disk.make(place, shim.library);
    const writeback = writebacks[one % writebacks.length] ?? 0;
    await startAndDie(disk, { seed: seed + one, writeback, killAt: random.between(1, calls) });
    await disk.cut();
    tally.add('power cuts', 1);
    const server = await startServer(disk.data);
    const ledger = new Ledger();
    const enough = () => ledger.acknowledged.size >= 20;
    await startWriters({ server, ledger, seed, stream: one, enough }).ended;
    tally.add('versions read back', await expectAnswers(server, ledger));
    await server.stop();
    await expectAgreement(disk.data, ledger);
    await rm(place, { recursive: true });
  }
  return { result: 'passed', figures: tally.figures };
}
