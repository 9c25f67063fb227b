import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { sampleRecord } from '../load/sample.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { descriptorsOf, tellsState } from '../load/process-state.ts';
import { openSlowClients } from '../load/slow-sockets.ts';
import { openReader, Timings } from '../load/timings.ts';
import { send, startServer } from '../server.ts';

const clients = { full: 1000, short: 200 } as const;

/** Milliseconds after which no slow client is connected any more, and within which a read is answered. */
const limits = { held: 12_000, read: 100 } as const;

/** Milliseconds until the case gives up on clients that are not dropped. */
const patience = 20_000;

/** Clients that send a byte every half second cost the others nothing, and are soon gone. */
export const loadSlowClients: FaultCase = {
  name: 'load-slow-clients',
  claim:
    'Clients that send headers or bodies byte by byte, or nothing, are dropped within 12 s, also where they ignore the refusal; reads stay under 100 ms (99th percentile), and every descriptor is given back.',
  timed: true,
  run,
};

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  if (!tellsState) return { result: 'not run', reason: 'Descriptors are read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { type, text } = sampleRecord(seed);
  const made = await send(server, 'POST', `${fhirPath}/${type}`, text);
  const { id } = JSON.parse(made.text) as { id: string };
  const path = `${fhirPath}/${type}/${id}`;
  // The search field's own thread starts with the first record; it is here before anything is counted.
  await send(server, 'GET', '/app/find?q=plan');
  const reader = openReader(server);
  await reader.time(path);
  const before = await settledDescriptors(server.pid);
  const slow = openSlowClients(server, clients[extent]);
  const times = new Timings();
  const end = performance.now() + patience;
  while (slow.open() > 0 && performance.now() < end) {
    times.add(await reader.time(path));
    await setTimeout(5);
  }
  const left = slow.open();
  slow.stop();
  reader.close();
  const figures = {
    'slow clients': clients[extent],
    ...Object.fromEntries(
      [...slow.held].map(([kind, held]) => [
        `seconds held, ${kind}`,
        Math.round(Math.max(...held) / 100) / 10,
      ]),
    ),
    reads: times.count,
    'read ms, 99th percentile': times.quantile(0.99),
    'read ms, longest': times.quantile(1),
  };
  const after = await settledDescriptors(server.pid, before);
  await server.stop();
  for (const [what, count] of Object.entries(figures)) tally.add(what, count);
  tally.add('descriptors before', before);
  tally.add('descriptors after', after);
  if (left > 0) throw new FaultError(`${left} slow clients were still connected after ${patience / 1000} s`);
  for (const [kind, held] of slow.held) {
    if (Math.max(...held) > limits.held) throw new FaultError(`Clients with ${kind} were held too long`);
  }
  if (times.quantile(0.99) > limits.read) throw new FaultError('Reads took too long');
  if (after > before) throw new FaultError(`${after - before} descriptors were not given back`);
  return { result: 'passed', figures: tally.figures };
}

/** Descriptors once they do not fall any more, or are at a level that is wanted. */
async function settledDescriptors(pid: number, wanted = 0): Promise<number> {
  let least = Infinity;
  for (let looks = 0; looks < 40 && least > wanted; looks += 1) {
    const now = descriptorsOf(pid);
    if (now >= least && wanted === 0) break;
    least = Math.min(least, now);
    await setTimeout(50);
  }
  return least;
}
