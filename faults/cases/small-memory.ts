import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fhirPath, limits } from '../../core/api/contract.ts';
import { root } from '../../scripts/bundles.ts';
import { isInMemory } from '../../scripts/memory-folder.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { watchServer } from '../load/watch.ts';
import { inMemoryGroup, noMemoryGroup, type MemoryGroup } from '../memory-group.ts';
import { killServersBelow, send, startServer, type Answer, type FaultServer } from '../server.ts';

/** The memory that the README names. */
const memoryBytes = 512 * 1024 ** 2;

/**
 * A real disk: files of a memory file system would count against the control group, and could not be swapped
 * out.
 */
const diskFolder = '/var/tmp';

/** Simultaneous clients, and values of each body. All are within the documented limits. */
const loadSize = { creates: 12, values: limits.values - 20_000 } as const;

/** Simultaneous validations. Three need more memory together than the group has, as eight do. */
const validationCounts: Readonly<Record<FaultContext['runLength'], number>> = { full: 8, short: 3 };

/** Folder of published packages. May be missing. */
const packageFolder = resolve(root, '../shared/packages');
const packages = ['us-core-311', 'us-core-610', 'ips-110'];

const patient = '"subject":{"reference":"Patient/1"}';
const prefix = `{"resourceType":"CarePlan","status":"active","intent":"plan",${patient}`;
const largeBody = `${prefix},"note":[${Array(4)
  .fill(`{"text":"${'a'.repeat(1_000_000)}"}`)
  .join()}]}`;
const createItems = (item: string) => `${prefix},"note":[${Array(loadSize.values).fill(item).join()}]}`;
const createKeys = () =>
  `${prefix},${Array.from({ length: loadSize.values }, (_, n) => `"k${n}":0`).join()}}`;

/** Bodies whose values use the most memory. */
const bodyKinds: Readonly<Record<string, () => string>> = {
  'validations of {}': () => createItems('{}'),
  'validations of zeros': () => createItems('0'),
  'validations of keys': createKeys,
};

/** Kinds of bodies by extent. A short run uses the most expensive one. */
const kindsByExtent: Readonly<Record<FaultContext['runLength'], readonly string[]>> = {
  full: Object.keys(bodyKinds),
  short: ['validations of keys'],
};

/** The smallest machine that the documentation names. */
export const smallMemory: FaultCase = {
  name: 'small-memory',
  claim:
    'With 512 MB of memory, a server with a demo clinic and three packages processes twelve simultaneous creates of 4 MB, then eight $validate of 280,000 values each, or rejects some with 503 and Retry-After. The system kills no process, and no acknowledged write is lost.',
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  if (!existsSync(diskFolder) || isInMemory(diskFolder))
    return { result: 'not run', reason: `${diskFolder} is no disk.` };
  const data = await mkdtemp(join(diskFolder, 'chartkeeper-small-memory-'));
  try {
    const wasLimited = await inMemoryGroup(memoryBytes, async (group) => {
      try {
        await applyLoad(data, group, context);
      } finally {
        await killServersBelow(data);
      }
    });
    if (!wasLimited) return { result: 'not run', reason: noMemoryGroup };
    await expectVerified(data);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
  return { result: 'passed', figures: context.tally.figures };
}

async function applyLoad(
  data: string,
  group: MemoryGroup,
  { runLength, tally, say }: FaultContext,
): Promise<void> {
  const server = await startServer(data, { starter: group.starter, flags: ['--demo'] });
  const searchPath = `${fhirPath}/CarePlan?_count=1`;
  for (const name of packages) {
    const file = join(packageFolder, `${name}.tgz`);
    if (!existsSync(file)) continue;
    await addPackage(server, await readFile(file));
    tally.add('packages', 1);
  }
  const creates = Array.from({ length: loadSize.creates }, () =>
    send(server, 'POST', `${fhirPath}/CarePlan`, largeBody),
  );
  const created = count('creates', await Promise.all(creates), 201);
  say('the creates are answered');
  let [longestMs, maxBytes] = [0, 0];
  for (const [label, createBody] of Object.entries(bodyKinds)) {
    if (!kindsByExtent[runLength].includes(label)) continue;
    const body = createBody();
    const work = Promise.all(
      Array.from({ length: validationCounts[runLength] }, () =>
        send(server, 'POST', `${fhirPath}/CarePlan/$validate`, body),
      ),
    );
    const watchResult = await watchServer(server, searchPath, work);
    count(label, await work, 200);
    longestMs = Math.max(longestMs, watchResult.times.quantile(1));
    maxBytes = Math.max(maxBytes, watchResult.maxMemoryBytes);
    say(`${label}: ${Math.round(watchResult.maxMemoryBytes / 1024 ** 2)} MiB`);
  }
  tally.add('MiB of the process, at most', Math.round(maxBytes / 1024 ** 2));
  tally.add('longest wait of a small request, ms', Math.round(longestMs));
  for (const response of created) {
    const { id } = JSON.parse(response.text) as { id: string };
    const { status } = await send(server, 'GET', `${fhirPath}/CarePlan/${id}/_history?_count=1`);
    if (status !== 200) throw new FaultError(`A record was acknowledged and is answered ${status}`);
  }
  const peak = await group.peak();
  if (peak !== undefined) tally.add('MiB of the group, at most', Math.round(peak / 1024 ** 2));
  await server.stop();

  function count(label: string, responses: readonly Answer[], status: number): Answer[] {
    const succeeded = responses.filter((response) => response.status === status);
    const rejected = responses.filter(
      (response) => response.status === 503 && response.headers.has('Retry-After'),
    );
    tally.add(`${label} that were done`, succeeded.length);
    tally.add(`${label} that were refused`, rejected.length);
    const unexpected = responses.find(
      (response) => !succeeded.includes(response) && !rejected.includes(response),
    );
    if (unexpected)
      throw new FaultError(`One of the ${label} was answered ${unexpected.status}: ${unexpected.text}`);
    if (succeeded.length === 0) throw new FaultError(`None of the ${label} was done`);
    return succeeded;
  }
}

async function addPackage({ port, token }: FaultServer, file: Buffer<ArrayBuffer>): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/app/packages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/gzip' },
    body: file,
  });
  if (status !== 201) throw new FaultError(`A package was answered ${status}`);
}
