import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Random } from '../../server/demo/random.ts';
import { postgresPrograms } from '../../server/testing/postgres.ts';
import type { FaultCase, FaultContext, Finding } from '../fault-case.ts';
import { Ledger, type Held } from '../ledger.ts';
import { PrimaryPair } from '../primary-pair.ts';
import type { FaultServer } from '../server.ts';
import {
  expectSharedAgreement,
  expectSoundTrail,
  expectStatuses,
  noPostgres,
  serve,
  unsure,
} from '../shared-store.ts';
import { startWriters, type Writers } from '../writer.ts';

const kills = { full: 20, short: 1 } as const;

/** Writes that are acknowledged before a kill at least, and behind it. */
const apart = 150;

/** The primary of a shared store is killed, and its standby takes over, again and again. */
export const primaryKilled: FaultCase = {
  name: 'primary-killed',
  claim:
    'Where the primary of a shared store is killed (kill -9) while clients write through two servers, and the standby that confirms each commit takes over, no acknowledged write is lost and none is made twice; the servers find the new primary by themselves.',
  long: true,
  shared: true,
  run,
};

/** Notes the longest time without an acknowledged write, in milliseconds. */
class TimedLedger extends Ledger {
  longest = 0;
  private last = Infinity;

  begin(): void {
    [this.longest, this.last] = [0, performance.now()];
  }

  override acknowledge(title: string, held: Held): void {
    super.acknowledge(title, held);
    this.longest = Math.max(this.longest, performance.now() - this.last);
    this.last = performance.now();
  }
}

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  if (postgresPrograms() === undefined) return noPostgres;
  const random = new Random(seed, 0, 19);
  const pair = await PrimaryPair.begin(join(folder, 'postgres'));
  try {
    const servers = [
      await serve(join(folder, 'one'), pair.ports),
      await serve(join(folder, 'other'), pair.ports),
    ];
    const ledger = new TimedLedger();
    const gaps: number[] = [];
    for (let kill = 0; kill < kills[extent]; kill += 1) {
      const writers = servers.map((server, at) => writing(server, ledger, { seed, stream: 2 * kill + at }));
      await ledger.reached(ledger.acknowledged.size + apart);
      await setTimeout(random.between(0, 10));
      ledger.begin();
      pair.kill();
      await pair.failOver();
      await ledger.reached(ledger.acknowledged.size + apart);
      for (const one of writers) await one.stop();
      gaps.push(ledger.longest);
      tally.add('writes whose end nobody told', ledger.open.size);
      await expectSharedAgreement(pair.port, ledger);
      for (const server of servers) await expectSoundTrail(server);
      const way = kill % 2 === 0 ? 'rewound' : 'copied anew';
      await pair.rejoin(way);
      tally.add('kills', 1);
      tally.add(`of these ${way}`, 1);
      say(`kill ${kill + 1}: ${Math.round(ledger.longest)} ms without an acknowledged write`);
    }
    expectStatuses(ledger, [200, 201, 400, 412, ...unsure]);
    for (const server of servers) await server.stop();
    tally.add('acknowledged writes', ledger.acknowledged.size);
    return { result: 'passed', figures: { ...tally.figures, ...spread(gaps) } };
  } finally {
    pair.stop();
  }
}

function writing(
  server: FaultServer,
  ledger: Ledger,
  random: { readonly seed: number; readonly stream: number },
): Writers {
  return startWriters({ ...{ server, ledger, clients: 4, persist: true, unsure }, ...random });
}

function spread(gaps: readonly number[]): Readonly<Record<string, string>> {
  const sorted = [...gaps].sort((one, other) => one - other);
  const told = (milliseconds = 0) => `${Math.round(milliseconds)} ms`;
  return {
    'without an acknowledged write, median': told(sorted[Math.floor(sorted.length / 2)]),
    'without an acknowledged write, longest': told(sorted.at(-1)),
  };
}
