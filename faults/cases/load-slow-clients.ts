import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { createSampleRecord } from '../load/sample.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { countDescriptors, canReadProcessState } from '../load/process-state.ts';
import { openSlowClients } from '../load/slow-sockets.ts';
import { openReader, Timings } from '../load/timings.ts';
import { send, startServer } from '../server.ts';

const clients = { full: 1000, short: 200 } as const;

/** Limits in milliseconds: how long a slow client stays connected, and how long a read takes. */
const limitsMs = { held: 12_000, read: 100 } as const;

/** Milliseconds until the case gives up on clients that are still connected. */
const timeoutMs = 20_000;

/** Clients that send a byte every half second do not slow the others, and are soon disconnected. */
export const loadSlowClients: FaultCase = {
  name: 'load-slow-clients',
  claim:
    'Clients that send headers or bodies byte by byte, or nothing, are disconnected within 12 s, even if they ignore the rejection. Reads take less than 100 ms (99th percentile), and every descriptor is released.',
  timed: true,
  run,
};

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  if (!canReadProcessState) return { result: 'not run', reason: 'Descriptors are read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { type, text } = createSampleRecord(seed);
  const createResponse = await send(server, 'POST', `${fhirPath}/${type}`, text);
  const { id } = JSON.parse(createResponse.text) as { id: string };
  const path = `${fhirPath}/${type}/${id}`;
  // The worker of the finder starts with the first record. It must run before descriptors are counted.
  await send(server, 'GET', '/app/find?q=plan');
  const reader = openReader(server);
  await reader.time(path);
  const descriptorsBefore = await waitForDescriptors(server.pid);
  const slowClients = openSlowClients(server, clients[runLength]);
  const times = new Timings();
  const deadline = performance.now() + timeoutMs;
  while (slowClients.open() > 0 && performance.now() < deadline) {
    times.add(await reader.time(path));
    await setTimeout(5);
  }
  const stillOpen = slowClients.open();
  slowClients.stop();
  reader.close();
  const figures = {
    'slow clients': clients[runLength],
    ...Object.fromEntries(
      [...slowClients.durationsMs].map(([kind, durationsMs]) => [
        `seconds held, ${kind}`,
        Math.round(Math.max(...durationsMs) / 100) / 10,
      ]),
    ),
    reads: times.count,
    'read ms, 99th percentile': times.quantile(0.99),
    'read ms, longest': times.quantile(1),
  };
  const descriptorsAfter = await waitForDescriptors(server.pid, descriptorsBefore);
  await server.stop();
  for (const [label, count] of Object.entries(figures)) tally.add(label, count);
  tally.add('descriptors before', descriptorsBefore);
  tally.add('descriptors after', descriptorsAfter);
  if (stillOpen > 0)
    throw new FaultError(`${stillOpen} slow clients were still connected after ${timeoutMs / 1000} s`);
  for (const [kind, durationsMs] of slowClients.durationsMs) {
    if (Math.max(...durationsMs) > limitsMs.held)
      throw new FaultError(`Clients with ${kind} were held too long`);
  }
  if (times.quantile(0.99) > limitsMs.read) throw new FaultError('Reads took too long');
  if (descriptorsAfter > descriptorsBefore)
    throw new FaultError(`${descriptorsAfter - descriptorsBefore} descriptors were not given back`);
  return { result: 'passed', figures: tally.figures };
}

/**
 * Polls the number of descriptors until it stops falling, or has fallen to a target. Returns the lowest
 * number.
 */
async function waitForDescriptors(pid: number, targetCount = 0): Promise<number> {
  let lowest = Infinity;
  for (let poll = 0; poll < 40 && lowest > targetCount; poll += 1) {
    const current = countDescriptors(pid);
    if (current >= lowest && targetCount === 0) break;
    lowest = Math.min(lowest, current);
    await setTimeout(50);
  }
  return lowest;
}
