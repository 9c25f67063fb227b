import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { FaultError } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { send, type FaultServer } from '../server.ts';
import type { Tally } from '../tally.ts';
import { startWriters } from '../writer.ts';
import { ignoreBrokenConnection, type Importer } from './importer.ts';
import type { Timings } from './timings.ts';

/** Milliseconds between two requests of a client. The machine has other work. */
const restsMs = { write: 1200, read: 600, import: 10_000 } as const;

export interface SoakLoad {
  readonly server: FaultServer;
  readonly ledger: Ledger;
  readonly importer: Importer;
  readonly tally: Tally;
  readonly times: Timings;
  readonly seed: number;
  /** Selects the order of requests. */
  readonly stream: number;
}

/**
 * Starts three writing clients, two reading ones and an importing one, until they are stopped. An unreachable
 * server ends none of them.
 */
export function startSoakLoad(load: SoakLoad): { stop(): Promise<void> } {
  const { server, ledger, importer, tally, seed, stream } = load;
  const writers = startWriters({
    server,
    ledger,
    seed,
    stream,
    clients: 3,
    isPersistent: true,
    restMs: restsMs.write,
    unconfirmedStatuses: [503],
  });
  const stopping = new AbortController();
  const repeat = async (client: number, restMs: number, request: (random: Random) => Promise<void>) => {
    const random = new Random(seed, stream, client);
    while (!stopping.signal.aborted) {
      await request(random);
      await setTimeout(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const otherClients = Promise.all([
    ...[101, 102].map((client) => repeat(client, restsMs.read, (random) => readRandom(load, random))),
    repeat(103, restsMs.import, async (random) =>
      tally.add('records imported', await importer.send(server, random)),
    ),
  ]);
  // `stop` reports the error.
  otherClients.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([writers.stop(), otherClients]);
    },
  };
}

/** Addresses to read: a record, its history, two pages of a type, the worklist. */
const addresses: readonly ((address: string) => string)[] = [
  (address) => `${fhirPath}/${address}`,
  (address) => `${fhirPath}/${address}/_history?_count=10`,
  (address) => `${fhirPath}/${address.split('/')[0] ?? ''}?_sort=-_lastUpdated&_count=20`,
  (address) => `${fhirPath}/${address.split('/')[0] ?? ''}?date=ge2000&_count=10`,
  () => '/app/quality',
];

async function readRandom({ server, ledger, tally, times }: SoakLoad, random: Random): Promise<void> {
  if (ledger.addresses.length === 0) return;
  const path = random.pick(addresses)(random.pick(ledger.addresses));
  const startTime = performance.now();
  const response = await send(server, 'GET', path).catch(ignoreBrokenConnection);
  if (!response || response.status === 503) {
    tally.add('reads and searches without an answer', 1);
    return;
  }
  if (response.status !== 200)
    throw new FaultError(`GET ${path} was answered ${response.status}: ${response.text}`);
  times.add(performance.now() - startTime);
  tally.add('reads and searches', 1);
}
