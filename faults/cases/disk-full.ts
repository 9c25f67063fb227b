import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAgreement, countReadable } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { noSmallDisk, onSmallDisk } from '../small-disk.ts';
import { copyStore } from '../store-copy.ts';
import { waitUntil } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 5, short: 1 } as const;

/** Size of the disk in bytes, and the free space that remains when it is filled. */
const diskBytes = 128 * 1024 * 1024;
const remainingBytes = 4 * 1024 * 1024;

/** Allowed statuses of a write: stored, stale, content refused, and no space. */
const statuses = new Set([200, 201, 400, 412, 422, 503, 507]);

/** A disk that fills up while clients write, and has space again later. */
export const diskFull: FaultCase = {
  name: 'disk-full',
  claim:
    'On a full disk, writes get 507 or 503 with an OperationOutcome, reads continue, and writes resume without a restart as soon as there is space. No acknowledged write is lost.',
  parallel: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const wasRun = await onSmallDisk(context.folder, diskBytes, ({ path }) => fillRepeatedly(path, context));
  if (!wasRun) return { result: 'not run', reason: noSmallDisk };
  return { result: 'passed', figures: context.tally.figures };
}

async function fillRepeatedly(disk: string, { runLength, folder, seed, tally }: FaultContext): Promise<void> {
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0 });
  await ledger.waitFor(100);
  for (let round = 0; round < rounds[runLength]; round += 1) {
    await fill(disk, ballast);
    const failuresBefore = ledger.failures;
    await waitUntil('A refused write', () => ledger.failures > failuresBefore + 20, 60_000);
    tally.add('reads while the disk was full', await countReadable(server, ledger));
    await rm(ballast);
    await ledger.waitFor(ledger.acknowledged.size + 200);
    tally.add('times full', 1);
  }
  await writers.stop();
  for (const [status, count] of ledger.statuses) tally.add(`answers ${status}`, count);
  const unexpected = [...ledger.statuses.keys()].filter((status) => !statuses.has(status));
  if (unexpected.length > 0) throw new FaultError(`Writes were answered ${unexpected.join(', ')}`);
  tally.add('reads afterwards', await countReadable(server, ledger));
  await server.kill();
  await copyStore(data, join(folder, 'copy'));
  await expectAgreement(join(folder, 'copy'), ledger);
}

/** Fills the disk. The clients use some of the space in the meantime. */
async function fill(disk: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - remainingBytes))).catch(
    (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    },
  );
}
