import { setTimeout } from 'node:timers/promises';
import type { Random } from '../server/demo/random.ts';
import type { Ledger } from './ledger.ts';
import type { FaultServer } from './server.ts';
import type { Tally } from './tally.ts';
import { startWriters } from './writer.ts';

interface KillOptions {
  readonly server: FaultServer;
  readonly ledger: Ledger;
  readonly tally: Tally;
  readonly random: Random;
  readonly seed: number;
  /** Selects the order of writes. */
  readonly stream: number;
}

/**
 * Kills a server (kill -9) during the writes of its clients, after 1 to 300 acknowledged ones, and counts
 * them.
 */
export async function killWhileWriting(options: KillOptions): Promise<void> {
  const { server, ledger, tally, random, seed, stream } = options;
  const countBefore = ledger.acknowledged.size;
  const writers = startWriters({ server, ledger, seed, stream });
  await ledger.waitFor(countBefore + random.integerBetween(1, 300));
  await setTimeout(random.integerBetween(0, 10));
  await server.kill();
  await writers.stop();
  tally.add('acknowledged writes', ledger.acknowledged.size - countBefore);
  tally.add('unanswered writes', ledger.open.size);
}
