import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { FaultError } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { send, type FaultServer } from '../server.ts';
import type { Tally } from '../tally.ts';
import { startWriters } from '../writer.ts';
import { brokenOff, type Importer } from './importer.ts';
import type { Timings } from './timings.ts';

/** Milliseconds between two requests of a client: the machine has other work. */
const rests = { write: 1200, read: 600, import: 10_000 } as const;

export interface SoakLoad {
  readonly server: FaultServer;
  readonly ledger: Ledger;
  readonly importer: Importer;
  readonly tally: Tally;
  readonly times: Timings;
  readonly seed: number;
  /** Another number is another order of requests. */
  readonly stream: number;
}

/** Three clients write, two read and search, one imports, until they are stopped; a server that is away ends none of them. */
export function startSoakLoad(load: SoakLoad): { stop(): Promise<void> } {
  const { server, ledger, importer, tally, seed, stream } = load;
  const writers = startWriters({
    ...{ server, ledger, seed, stream },
    ...{ clients: 3, persist: true, rest: rests.write, unsure: [503] },
  });
  const ending = new AbortController();
  const repeat = async (client: number, rest: number, request: (random: Random) => Promise<void>) => {
    const random = new Random(seed, stream, client);
    while (!ending.signal.aborted) {
      await request(random);
      await setTimeout(rest, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const others = Promise.all([
    ...[101, 102].map((client) => repeat(client, rests.read, (random) => readOne(load, random))),
    repeat(103, rests.import, async (random) =>
      tally.add('records imported', await importer.send(server, random)),
    ),
  ]);
  // Told to whoever waits for the end.
  others.catch(() => undefined);
  return {
    async stop() {
      ending.abort();
      await Promise.all([writers.stop(), others]);
    },
  };
}

/** All that is read: a record, its history, a patient's records, a page of a type, the worklist. */
const addresses: readonly ((address: string) => string)[] = [
  (address) => `${fhirPath}/${address}`,
  (address) => `${fhirPath}/${address}/_history?_count=10`,
  (address) => `${fhirPath}/${address.split('/')[0] ?? ''}?_sort=-_lastUpdated&_count=20`,
  (address) => `${fhirPath}/${address.split('/')[0] ?? ''}?date=ge2000&_count=10`,
  () => '/app/quality',
];

async function readOne({ server, ledger, tally, times }: SoakLoad, random: Random): Promise<void> {
  if (ledger.addresses.length === 0) return;
  const path = random.pick(addresses)(random.pick(ledger.addresses));
  const started = performance.now();
  const answer = await send(server, 'GET', path).catch(brokenOff);
  if (!answer || answer.status === 503) {
    tally.add('reads and searches without an answer', 1);
    return;
  }
  if (answer.status !== 200)
    throw new FaultError(`GET ${path} was answered ${answer.status}: ${answer.text}`);
  times.add(performance.now() - started);
  tally.add('reads and searches', 1);
}
