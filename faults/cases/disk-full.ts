import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAgreement, expectAnswers } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { noSmallDisk, onSmallDisk } from '../small-disk.ts';
import { copyStore } from '../store-copy.ts';
import { until } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 5, short: 1 } as const;

/** Bytes of the disk, and of it what is left when it fills up. */
const size = 128 * 1024 * 1024;
const left = 4 * 1024 * 1024;

/** What a write may be answered with: stored, out of date, content refused, and no space. */
const statuses = new Set([200, 201, 400, 412, 422, 503, 507]);

/** A disk that is full while clients write, and has space again. */
export const diskFull: FaultCase = {
  name: 'disk-full',
  claim:
    'On a full disk writes are answered 507 or 503 with an OperationOutcome, reads go on, and writes go on by themselves once there is space; nothing acknowledged is lost.',
  beside: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const ran = await onSmallDisk(context.folder, size, ({ path }) => fillAgainAndAgain(path, context));
  if (!ran) return { result: 'not run', reason: noSmallDisk };
  return { result: 'passed', figures: context.tally.figures };
}

async function fillAgainAndAgain(disk: string, { extent, folder, seed, tally }: FaultContext): Promise<void> {
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const ledger = new Ledger();
  const writers = startWriters({ server, ledger, seed, stream: 0 });
  await ledger.reached(100);
  for (let round = 0; round < rounds[extent]; round += 1) {
    await fill(disk, ballast);
    const failures = ledger.failures;
    await until('A refused write', () => ledger.failures > failures + 20, 60_000);
    tally.add('reads while the disk was full', await expectAnswers(server, ledger));
    await rm(ballast);
    await ledger.reached(ledger.acknowledged.size + 200);
    tally.add('times full', 1);
  }
  await writers.stop();
  for (const [status, count] of ledger.statuses) tally.add(`answers ${status}`, count);
  const other = [...ledger.statuses.keys()].filter((status) => !statuses.has(status));
  if (other.length > 0) throw new FaultError(`Writes were answered ${other.join(', ')}`);
  tally.add('reads afterwards', await expectAnswers(server, ledger));
  await server.kill();
  await copyStore(data, join(folder, 'copy'));
  await expectAgreement(join(folder, 'copy'), ledger);
}

/** Takes the space away; the clients take some of it meanwhile. */
async function fill(disk: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left))).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  });
}
