import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, countReadable } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { killWhileWriting } from '../kill-while-writing.ts';
import { Ledger } from '../ledger.ts';
import { buildWith } from '../other-build.ts';
import { startServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';
import { startWriters } from '../writer.ts';

const cycles = { full: 100, short: 3 } as const;

/** Cycles for one disk. New disks keep the store small. */
const cyclesPerDisk = 25;

/**
 * Percent of writes that reach the disk before they are synced. With 0 the disk keeps the order of writes.
 */
const writebacks = [0, 10, 50] as const;

/** The machine loses power: data that was never synced is lost, except for some sectors. */
export const power: FaultCase = {
  name: 'power',
  claim:
    'After a power cut no acknowledged write is lost and no transaction is partial. With synchronous NORMAL, the same cut loses some writes.',
  parallel: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const { runLength, folder, seed, tally, say } = context;
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  for (let firstCycle = 0; firstCycle < cycles[runLength]; firstCycle += cyclesPerDisk) {
    const endCycle = Math.min(firstCycle + cyclesPerDisk, cycles[runLength]);
    const disk = await Disk.make(join(folder, `disk-${firstCycle}`), shim.library);
    await cutAgainAndAgain(disk, [firstCycle, endCycle], context);
    say(`${endCycle} of ${cycles[runLength]} cycles`);
  }
  const lostCount = await loseWithNormal(join(folder, 'normal'), shim.library, seed);
  tally.add('lost with synchronous NORMAL, as must be', lostCount);
  return { result: 'passed', figures: tally.figures };
}

async function cutAgainAndAgain(
  disk: Disk,
  [firstCycle, endCycle]: readonly [number, number],
  { seed, tally }: FaultContext,
): Promise<void> {
  const random = new Random(seed, firstCycle, 1);
  const ledger = new Ledger();
  for (let cycle = firstCycle; cycle < endCycle; cycle += 1) {
    const writeback = writebacks[cycle % writebacks.length] ?? 0;
    const server = await startServer(disk.data, { env: disk.env({ seed: seed + cycle, writeback }) });
    tally.add('versions read back', await countReadable(server, ledger));
    await killWhileWriting({ server, ledger, tally, random, seed, stream: cycle });
    await disk.cutPower();
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

/** Replacements for a server that does not wait for the disk. */
const normalReplacements = [
  { from: /synchronous = FULL/, to: 'synchronous = NORMAL' },
  { from: /synchronous: 2\b/, to: 'synchronous: 1' },
];

/** Highest number of cuts. A cut right after a checkpoint loses nothing even with synchronous NORMAL. */
const maxNormalCuts = 10;

/**
 * Cuts the power of a server that does not wait for the disk. Returns how many acknowledged writes were lost.
 */
async function loseWithNormal(folder: string, library: string, seed: number): Promise<number> {
  const commandLine = await buildWith(folder, normalReplacements);
  for (let cut = 0; cut < maxNormalCuts; cut += 1) {
    const disk = await Disk.make(join(folder, `disk-${cut}`), library);
    const lostCount = await cutOnce(disk, commandLine, seed + cut);
    if (lostCount > 0) return lostCount;
  }
  throw new FaultError('The shim does not see synchronous NORMAL: no acknowledged write was lost.');
}

async function cutOnce(disk: Disk, commandLine: string, seed: number): Promise<number> {
  const server = await startServer(disk.data, { commandLine, env: disk.env({ seed }) });
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0 });
  await ledger.waitFor(100);
  await server.kill();
  await writers.stop();
  await disk.cutPower();
  return ledger.compare(readStore(disk.data).versions).lostKeys.length;
}
