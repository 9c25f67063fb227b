import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath, limits } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { readMemoryBytes, canReadProcessState } from '../load/process-state.ts';
import { createSampleRecord } from '../load/sample.ts';
import { watchServer } from '../load/watch.ts';
import { send, startServer } from '../server.ts';

/** Bodies of one kind that are sent at the same time. */
const bodyCount = { full: 8, short: 2 } as const;

/** Limits: wait of another request in milliseconds, and bytes of the server at the peak and at the end. */
const limitsOfCase = { wait: 1000, held: 1536 * 1024 ** 2, behind: 512 * 1024 ** 2 } as const;

/**
 * Lowest number of other requests during the bodies. If each body blocked the server, there would be hardly
 * more than bodies.
 */
const minOtherRequests = 20;

/** Milliseconds until the threads have released their memory. A short run does not wait. */
const releaseMs = { full: 30_000, short: 0 } as const;

const prefix =
  '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/1"}';
const createItems = (count: number, item: string) => `${prefix},"note":[${Array(count).fill(item).join()}]}`;
const createKeys = (count: number) =>
  `${prefix},${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`;

/** Each kind of body, with more values than the limit and with as many. */
const bodyKinds: Readonly<Record<string, readonly [body: () => string, status: number]>> = {
  '2.4 million zeros': [() => createItems(2_400_000, '0'), 413],
  '1.2 million {}': [() => createItems(1_200_000, '{}'), 413],
  '300,000 keys': [() => createKeys(300_000), 413],
  'zeros as many as are read': [() => createItems(limits.values - 10, '0'), 200],
  '{} as many as are read': [() => createItems(limits.values - 10, '{}'), 200],
  'keys as many as are read': [() => createKeys(limits.values - 10), 200],
};

/** Bodies of many small values do not block other requests. */
export const hostileBodies: FaultCase = {
  name: 'hostile-bodies',
  claim:
    'Eight simultaneous bodies with the highest number of JSON values never delay another request by a second. The server uses at most 1.5 GiB and releases the memory.',
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  if (!canReadProcessState) return { result: 'not run', reason: 'Memory is read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { type, text } = createSampleRecord(seed);
  const createResponse = await send(server, 'POST', `${fhirPath}/${type}`, text);
  const path = `${fhirPath}/${type}/${(JSON.parse(createResponse.text) as { id: string }).id}`;
  let longestMs = 0;
  let maxBytes = 0;
  for (const [kind, [createBody, status]] of Object.entries(bodyKinds)) {
    const body = createBody();
    const responses = Promise.all(
      Array.from({ length: bodyCount[runLength] }, () =>
        send(server, 'POST', `${fhirPath}/CarePlan/$validate`, body),
      ),
    );
    const { times, maxMemoryBytes } = await watchServer(server, path, responses);
    const unexpected = (await responses).find((response) => response.status !== status);
    if (unexpected) throw new FaultError(`${kind} was answered ${unexpected.status}`);
    if (status === 200 && times.count < minOtherRequests)
      throw new FaultError(`${kind}: ${times.count} requests of others were answered meanwhile`);
    say(`${kind}: others waited ${times.quantile(1)} ms, ${Math.round(maxMemoryBytes / 1024 ** 2)} MiB`);
    tally.add('bodies', bodyCount[runLength]);
    tally.add('requests of others', times.count);
    longestMs = Math.max(longestMs, times.quantile(1));
    maxBytes = Math.max(maxBytes, maxMemoryBytes);
  }
  await setTimeout(releaseMs[runLength]);
  const finalBytes = readMemoryBytes(server.pid);
  await server.stop();
  tally.add('longest wait of another request, ms', Math.round(longestMs));
  tally.add('MiB held, at most', Math.round(maxBytes / 1024 ** 2));
  tally.add('MiB held behind it', Math.round(finalBytes / 1024 ** 2));
  if (runLength === 'full' && longestMs > limitsOfCase.wait)
    throw new FaultError('Another request waited too long');
  if (maxBytes > limitsOfCase.held) throw new FaultError('The server held too much');
  if (runLength === 'full' && finalBytes > limitsOfCase.behind)
    throw new FaultError('The memory was not given back');
  return { result: 'passed', figures: tally.figures };
}
