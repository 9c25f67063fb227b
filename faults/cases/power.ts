import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, expectAnswers } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { killWhileWriting } from '../kill-while-writing.ts';
import { Ledger } from '../ledger.ts';
import { buildWith } from '../other-build.ts';
import { startServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const cycles = { full: 100, short: 3 } as const;

/** Cycles on one disk; a new one then keeps the store small. */
const cyclesOfDisk = 25;

/** Percent of writes that reach the disk before they are synced: a disk that keeps an order, and ones that do not. */
const writebacks = [0, 10, 50] as const;

/** The machine loses its power: what was never synced is gone, and of the rest some sectors only. */
export const power: FaultCase = {
  name: 'power',
  claim:
    'After a power cut no acknowledged write is lost and no transaction is halved; with synchronous NORMAL the same cut loses some.',
  beside: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const { extent, folder, seed, tally, say } = context;
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  for (let first = 0; first < cycles[extent]; first += cyclesOfDisk) {
    const last = Math.min(first + cyclesOfDisk, cycles[extent]);
    const disk = await Disk.make(join(folder, `disk-${first}`), shim.library);
    await cutAgainAndAgain(disk, [first, last], context);
    say(`${last} of ${cycles[extent]} cycles`);
  }
  const lost = await loseWithNormal(join(folder, 'normal'), shim.library, seed);
  tally.add('lost with synchronous NORMAL, as must be', lost);
  return { result: 'passed', figures: tally.figures };
}

async function cutAgainAndAgain(
  disk: Disk,
  [first, last]: readonly [number, number],
  { seed, tally }: FaultContext,
): Promise<void> {
  const random = new Random(seed, first, 1);
  const ledger = new Ledger();
  for (let cycle = first; cycle < last; cycle += 1) {
    const writeback = writebacks[cycle % writebacks.length] ?? 0;
    const server = await startServer(disk.data, { env: disk.env({ seed: seed + cycle, writeback }) });
    tally.add('versions read back', await expectAnswers(server, ledger));
    await killWhileWriting({ server, ledger, tally, random, seed, stream: cycle });
    await disk.cut();
    if (!existsSync(join(disk.data, 'records.db-open'))) {
      throw new FaultError(
        'The cut took away the mark of an open database: a large file would not be looked at.',
      );
    }
    const copy = `${disk.data}-copy`;
    await copyStore(disk.data, copy);
    tally.add('of these stored', await expectAgreement(copy, ledger));
    tally.add('cycles', 1);
  }
}

/** A server that does not wait for the disk, and does not mind. */
const normal = [
  { from: /synchronous = FULL/, to: 'synchronous = NORMAL' },
  { from: /synchronous: 2\b/, to: 'synchronous: 1' },
];

/** A cut right behind a checkpoint loses nothing even then: so many are tried at most. */
const normalCuts = 10;

/** Cuts the power of a server that does not wait for the disk; answers how many acknowledged writes were lost. */
async function loseWithNormal(folder: string, library: string, seed: number): Promise<number> {
  const commandLine = await buildWith(folder, normal);
  for (let cut = 0; cut < normalCuts; cut += 1) {
    const disk = await Disk.make(join(folder, `disk-${cut}`), library);
    const lost = await cutOnce(disk, commandLine, seed + cut);
    if (lost > 0) return lost;
  }
  throw new FaultError('The shim does not see synchronous NORMAL: no acknowledged write was lost.');
}

async function cutOnce(disk: Disk, commandLine: string, seed: number): Promise<number> {
  const server = await startServer(disk.data, { commandLine, env: disk.env({ seed }) });
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0 });
  await ledger.reached(100);
  await server.kill();
  await writers.stop();
  await disk.cut();
  return ledger.compare(readStore(disk.data).held).lost.length;
}
