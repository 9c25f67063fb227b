import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../server/demo/random.ts';
import { postgresPrograms } from '../../server/testing/postgres.ts';
import type { FaultCase, FaultContext, FaultResult } from '../fault-case.ts';
import { Ledger, type StoredVersion } from '../ledger.ts';
import { PrimaryPair } from '../primary-pair.ts';
import type { FaultServer } from '../server.ts';
import {
  expectSharedAgreement,
  expectIntactAuditLog,
  expectStatuses,
  noPostgres,
  serveShared,
  unconfirmedStatuses,
} from '../shared-store.ts';
import { startWriters, type Writers } from '../writer.ts';

const kills = { full: 20, short: 1 } as const;

/** Lowest number of acknowledged writes before and after a kill. */
const writesPerKill = 150;

/** The primary of a shared store is killed and its standby takes over, again and again. */
export const primaryKilled: FaultCase = {
  name: 'primary-killed',
  claim:
    'If the primary of a shared store is killed (kill -9) while clients write through two servers, and the standby that confirms each commit takes over, no acknowledged write is lost and none is made twice. The servers find the new primary without a restart.',
  long: true,
  shared: true,
  run,
};

/** Measures the longest time without an acknowledged write, in milliseconds. */
class TimedLedger extends Ledger {
  longestMs = 0;
  private lastAcknowledgedAt = Infinity;

  startMeasurement(): void {
    [this.longestMs, this.lastAcknowledgedAt] = [0, performance.now()];
  }

  override acknowledge(title: string, version: StoredVersion): void {
    super.acknowledge(title, version);
    this.longestMs = Math.max(this.longestMs, performance.now() - this.lastAcknowledgedAt);
    this.lastAcknowledgedAt = performance.now();
  }
}

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  if (postgresPrograms() === undefined) return noPostgres;
  const random = new Random(seed, 0, 19);
  const pair = await PrimaryPair.begin(join(folder, 'postgres'));
  try {
    const servers = [
      await serveShared(join(folder, 'one'), pair.ports),
      await serveShared(join(folder, 'other'), pair.ports),
    ];
    const ledger = new TimedLedger();
    const gapsMs: number[] = [];
    for (let kill = 0; kill < kills[runLength]; kill += 1) {
      const writers = servers.map((server, index) =>
        startPersistentWriters(server, ledger, { seed, stream: 2 * kill + index }),
      );
      await ledger.waitFor(ledger.acknowledged.size + writesPerKill);
      await setTimeout(random.integerBetween(0, 10));
      ledger.startMeasurement();
      pair.kill();
      await pair.failOver();
      await ledger.waitFor(ledger.acknowledged.size + writesPerKill);
      for (const serverWriters of writers) await serverWriters.stop();
      gapsMs.push(ledger.longestMs);
      tally.add('writes whose end nobody told', ledger.open.size);
      await expectSharedAgreement(pair.port, ledger);
      for (const server of servers) await expectIntactAuditLog(server);
      const rejoinMode = kill % 2 === 0 ? 'rewound' : 'copied anew';
      await pair.rejoin(rejoinMode);
      tally.add('kills', 1);
      tally.add(`of these ${rejoinMode}`, 1);
      say(`kill ${kill + 1}: ${Math.round(ledger.longestMs)} ms without an acknowledged write`);
    }
    expectStatuses(ledger, [200, 201, 400, 412, ...unconfirmedStatuses]);
    for (const server of servers) await server.stop();
    tally.add('acknowledged writes', ledger.acknowledged.size);
    return { result: 'passed', figures: { ...tally.figures, ...summarizeGaps(gapsMs) } };
  } finally {
    pair.stop();
  }
}

function startPersistentWriters(
  server: FaultServer,
  ledger: Ledger,
  random: { readonly seed: number; readonly stream: number },
): Writers {
  return startWriters({ server, ledger, clients: 4, isPersistent: true, unconfirmedStatuses, ...random });
}

function summarizeGaps(gapsMs: readonly number[]): Readonly<Record<string, string>> {
  const sortedGaps = [...gapsMs].sort((left, right) => left - right);
  const formatMs = (milliseconds = 0) => `${Math.round(milliseconds)} ms`;
  return {
    'without an acknowledged write, median': formatMs(sortedGaps[Math.floor(sortedGaps.length / 2)]),
    'without an acknowledged write, longest': formatMs(sortedGaps.at(-1)),
  };
}
