import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, countReadable } from '../expect.ts';
import type { FaultCase, FaultContext, FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { waitUntil } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 30, short: 4 } as const;

/** How a round ends: right after a failed write or after writes resumed; by a kill or a power cut. */
const endings = [
  { isRecovered: true, isPowerCut: false },
  { isRecovered: true, isPowerCut: true },
  { isRecovered: false, isPowerCut: false },
  { isRecovered: false, isPowerCut: true },
] as const;

/** The disk reports that it could not store data. */
export const failingSync: FaultCase = {
  name: 'fsync',
  claim:
    'If a sync fails, the write gets an error and never appears. Later writes succeed after the server has reopened its store without a restart. No acknowledged write is lost.',
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const random = new Random(seed, 0, 3);
  const disk = await Disk.make(folder, shim.library);
  const ledger = new Ledger();
  for (let round = 0; round < rounds[runLength]; round += 1) {
    const { isRecovered, isPowerCut } = endings[round % endings.length] ?? endings[0];
    const server = await startServer(disk.data, { env: disk.env({ seed: seed + round }) });
    tally.add('versions read back', await countReadable(server, ledger));
    const countBefore = ledger.acknowledged.size;
    const failuresBefore = ledger.failures;
    const writers = startWriters({ server, ledger, seed, stream: round });
    await ledger.waitFor(countBefore + random.integerBetween(1, 100));
    await disk.failSyncs(random.chance(50) ? 1 : 8);
    await waitUntil('A write that is reported as failed', async () => {
      if (ledger.failures > failuresBefore) return true;
      // A sync of the workspace may have failed instead.
      if ((await disk.countFailingSyncs()) === 0) await disk.failSyncs(1);
      return false;
    });
    if (isRecovered) {
      // While the syncs fail, clients are refused as fast as they send.
      await waitUntil('The last sync that fails', async () => (await disk.countFailingSyncs()) === 0);
      await ledger.waitFor(ledger.acknowledged.size + 100);
      tally.add('recovered by itself', 1);
    }
    await server.kill();
    await writers.stop();
    await disk.failSyncs(0);
    tally.add('rounds', 1);
    tally.add('writes reported as failed', ledger.failures - failuresBefore);
    tally.add('acknowledged writes', ledger.acknowledged.size - countBefore);
    if (isPowerCut) await disk.cutPower();
    else await disk.resetShadow();
    const copy = join(folder, 'copy');
    await copyStore(disk.data, copy);
    await expectAgreement(copy, ledger);
    say(`${round + 1} of ${rounds[runLength]} rounds`);
  }
  for (const [status, count] of ledger.statuses) tally.add(`answers ${status}`, count);
  return { result: 'passed', figures: tally.figures };
}
