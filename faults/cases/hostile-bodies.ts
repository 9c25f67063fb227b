import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath, limits } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { memoryOf, tellsState } from '../load/process-state.ts';
import { sampleRecord } from '../load/sample.ts';
import { watch } from '../load/watch.ts';
import { send, startServer } from '../server.ts';

/** Bodies of a kind that are sent at once. */
const together = { full: 8, short: 2 } as const;

/** Milliseconds that another request waits, the bytes that the server holds, and those behind it, at most. */
const bounds = { wait: 1000, held: 1536 * 1024 ** 2, behind: 512 * 1024 ** 2 } as const;

/** Requests of others that are answered meanwhile, at least: where each body is a standstill there are hardly more than bodies. */
const between = 20;

/** Until the threads have given their memory back, which a short run does not wait for. */
const rest = { full: 30_000, short: 0 } as const;

const head =
  '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/1"}';
const items = (count: number, item: string) => `${head},"note":[${Array(count).fill(item).join()}]}`;
const keys = (count: number) => `${head},${Array.from({ length: count }, (_, n) => `"k${n}":0`).join()}}`;

/** Each kind of body: more than is read, and as much as is. */
const kinds: Readonly<Record<string, readonly [body: () => string, status: number]>> = {
  '2.4 million zeros': [() => items(2_400_000, '0'), 413],
  '1.2 million {}': [() => items(1_200_000, '{}'), 413],
  '300,000 keys': [() => keys(300_000), 413],
  'zeros as many as are read': [() => items(limits.values - 10, '0'), 200],
  '{} as many as are read': [() => items(limits.values - 10, '{}'), 200],
  'keys as many as are read': [() => keys(limits.values - 10), 200],
};

/** Bodies that are all small values cost the others nothing. */
export const hostileBodies: FaultCase = {
  name: 'hostile-bodies',
  claim:
    'Eight bodies at once of as many JSON values as a body holds never make another request wait a second; the server holds 1.5 GiB at most, and gives the memory back.',
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  if (!tellsState) return { result: 'not run', reason: 'Memory is read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { type, text } = sampleRecord(seed);
  const made = await send(server, 'POST', `${fhirPath}/${type}`, text);
  const path = `${fhirPath}/${type}/${(JSON.parse(made.text) as { id: string }).id}`;
  let longest = 0;
  let held = 0;
  for (const [kind, [bodyOf, status]] of Object.entries(kinds)) {
    const body = bodyOf();
    const answers = Promise.all(
      Array.from({ length: together[extent] }, () =>
        send(server, 'POST', `${fhirPath}/CarePlan/$validate`, body),
      ),
    );
    const { times, memory } = await watch(server, path, answers);
    const wrong = (await answers).find((answer) => answer.status !== status);
    if (wrong) throw new FaultError(`${kind} was answered ${wrong.status}`);
    if (status === 200 && times.count < between)
      throw new FaultError(`${kind}: ${times.count} requests of others were answered meanwhile`);
    say(`${kind}: others waited ${times.quantile(1)} ms, ${Math.round(memory / 1024 ** 2)} MiB`);
    tally.add('bodies', together[extent]);
    tally.add('requests of others', times.count);
    longest = Math.max(longest, times.quantile(1));
    held = Math.max(held, memory);
  }
  await setTimeout(rest[extent]);
  const behind = memoryOf(server.pid);
  await server.stop();
  tally.add('longest wait of another request, ms', Math.round(longest));
  tally.add('MiB held, at most', Math.round(held / 1024 ** 2));
  tally.add('MiB held behind it', Math.round(behind / 1024 ** 2));
  if (extent === 'full' && longest > bounds.wait) throw new FaultError('Another request waited too long');
  if (held > bounds.held) throw new FaultError('The server held too much');
  if (extent === 'full' && behind > bounds.behind) throw new FaultError('The memory was not given back');
  return { result: 'passed', figures: tally.figures };
}
