import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectAgreement, expectAnswers } from '../expect.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';
import { until } from '../wait.ts';
import { startWriters } from '../writer.ts';

const rounds = { full: 30, short: 4 } as const;

/** How a round ends: at once when a write was reported as failed, or once writes went on; by a kill or a power cut. */
const endings = [
  { recovered: true, cut: false },
  { recovered: true, cut: true },
  { recovered: false, cut: false },
  { recovered: false, cut: true },
] as const;

/** The disk says that it did not keep what it was to keep. */
export const failingSync: FaultCase = {
  name: 'fsync',
  claim:
    'When a sync fails, the write is answered with an error and never appears; later writes go on once the server has reopened its store by itself, and none acknowledged is lost.',
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const random = new Random(seed, 0, 3);
  const disk = await Disk.make(folder, shim.library);
  const ledger = new Ledger();
  for (let round = 0; round < rounds[extent]; round += 1) {
    const { recovered, cut } = endings[round % endings.length] ?? endings[0];
    const server = await startServer(disk.data, { env: disk.env({ seed: seed + round }) });
    tally.add('versions read back', await expectAnswers(server, ledger));
    const before = ledger.acknowledged.size;
    const failures = ledger.failures;
    const writers = startWriters({ server, ledger, seed, stream: round });
    await ledger.reached(before + random.between(1, 100));
    await disk.failSyncs(random.chance(50) ? 1 : 8);
    await until('A write that is reported as failed', async () => {
      if (ledger.failures > failures) return true;
      // A sync of the workspace may have failed in its place.
      if ((await disk.failingSyncs()) === 0) await disk.failSyncs(1);
      return false;
    });
    if (recovered) {
      // While the syncs still fail, clients are refused as fast as they ask.
      await until('The last sync that fails', async () => (await disk.failingSyncs()) === 0);
      await ledger.reached(ledger.acknowledged.size + 100);
      tally.add('recovered by itself', 1);
    }
    await server.kill();
    await writers.stop();
    await disk.failSyncs(0);
    tally.add('rounds', 1);
    tally.add('writes reported as failed', ledger.failures - failures);
    tally.add('acknowledged writes', ledger.acknowledged.size - before);
    if (cut) await disk.cut();
    else await disk.forget();
    const copy = join(folder, 'copy');
    await copyStore(disk.data, copy);
    await expectAgreement(copy, ledger);
    say(`${round + 1} of ${rounds[extent]} rounds`);
  }
  for (const [status, count] of ledger.statuses) tally.add(`answers ${status}`, count);
  return { result: 'passed', figures: tally.figures };
}
