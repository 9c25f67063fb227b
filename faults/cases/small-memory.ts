import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fhirPath, limits } from '../../core/api/contract.ts';
import { root } from '../../scripts/bundles.ts';
import { isInMemory } from '../../scripts/memory-folder.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { watch } from '../load/watch.ts';
import { inMemoryGroup, noMemoryGroup, type MemoryGroup } from '../memory-group.ts';
import { endServersBelow, send, startServer, type Answer, type FaultServer } from '../server.ts';

/** The memory that README names. */
const memory = 512 * 1024 ** 2;

/** Files in a file system in memory count against the group, and the system cannot evict them. */
const disk = '/var/tmp';

/** Clients that send at once, and the values of each body: all within the documented limits. */
const kinds = { creates: 12, validations: 8, values: limits.values - 20_000 } as const;

/** Published packages, where they are. */
const published = resolve(root, '../shared/packages');
const packages = ['us-core-311', 'us-core-610', 'ips-110'];

const patient = '"subject":{"reference":"Patient/1"}';
const head = `{"resourceType":"CarePlan","status":"active","intent":"plan",${patient}`;
const large = `${head},"note":[${Array(4)
  .fill(`{"text":"${'a'.repeat(1_000_000)}"}`)
  .join()}]}`;
const items = (item: string) => `${head},"note":[${Array(kinds.values).fill(item).join()}]}`;
const keys = () => `${head},${Array.from({ length: kinds.values }, (_, n) => `"k${n}":0`).join()}}`;

/** Bodies of as many values as cost the most of memory. */
const bodies: Readonly<Record<string, () => string>> = {
  'validations of {}': () => items('{}'),
  'validations of zeros': () => items('0'),
  'validations of keys': keys,
};

/** The kinds that are sent: a short run has the one that costs the most. */
const sent: Readonly<Record<FaultContext['extent'], readonly string[]>> = {
  full: Object.keys(bodies),
  short: ['validations of keys'],
};

/** The smallest machine that the documentation names. */
export const smallMemory: FaultCase = {
  name: 'small-memory',
  claim:
    'With 512 MB of memory a server with a demo clinic and three packages answers twelve creates of 4 MB at once, then eight $validate of 280,000 values each, or refuses one with 503 and Retry-After; the system ends no process, and nothing acknowledged is lost.',
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  if (!existsSync(disk) || isInMemory(disk)) return { result: 'not run', reason: `${disk} is no disk.` };
  const data = await mkdtemp(join(disk, 'chartkeeper-small-memory-'));
  try {
    const limited = await inMemoryGroup(memory, async (group) => {
      try {
        await load(data, group, context);
      } finally {
        await endServersBelow(data);
      }
    });
    if (!limited) return { result: 'not run', reason: noMemoryGroup };
    await expectVerified(data);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
  return { result: 'passed', figures: context.tally.figures };
}

async function load(data: string, group: MemoryGroup, { extent, tally, say }: FaultContext): Promise<void> {
  const server = await startServer(data, { starter: group.starter, flags: ['--demo'] });
  const read = `${fhirPath}/CarePlan?_count=1`;
  for (const name of packages) {
    const file = join(published, `${name}.tgz`);
    if (!existsSync(file)) continue;
    await addPackage(server, await readFile(file));
    tally.add('packages', 1);
  }
  const creates = Array.from({ length: kinds.creates }, () =>
    send(server, 'POST', `${fhirPath}/CarePlan`, large),
  );
  const made = count('creates', await Promise.all(creates), 201);
  say('the creates are answered');
  let [longest, held] = [0, 0];
  for (const [what, bodyOf] of Object.entries(bodies)) {
    if (!sent[extent].includes(what)) continue;
    const body = bodyOf();
    const work = Promise.all(
      Array.from({ length: kinds.validations }, () =>
        send(server, 'POST', `${fhirPath}/CarePlan/$validate`, body),
      ),
    );
    const watched = await watch(server, read, work);
    count(what, await work, 200);
    longest = Math.max(longest, watched.times.quantile(1));
    held = Math.max(held, watched.memory);
    say(`${what}: ${Math.round(watched.memory / 1024 ** 2)} MiB`);
  }
  tally.add('MiB of the process, at most', Math.round(held / 1024 ** 2));
  tally.add('longest wait of a small request, ms', Math.round(longest));
  for (const answer of made) {
    const { id } = JSON.parse(answer.text) as { id: string };
    const { status } = await send(server, 'GET', `${fhirPath}/CarePlan/${id}/_history?_count=1`);
    if (status !== 200) throw new FaultError(`A record was acknowledged and is answered ${status}`);
  }
  const peak = await group.peak();
  if (peak !== undefined) tally.add('MiB of the group, at most', Math.round(peak / 1024 ** 2));
  await server.stop();

  function count(what: string, answers: readonly Answer[], status: number): Answer[] {
    const done = answers.filter((answer) => answer.status === status);
    const refused = answers.filter((one) => one.status === 503 && one.headers.has('Retry-After'));
    tally.add(`${what} that were done`, done.length);
    tally.add(`${what} that were refused`, refused.length);
    const wrong = answers.find((one) => !done.includes(one) && !refused.includes(one));
    if (wrong) throw new FaultError(`One of the ${what} was answered ${wrong.status}: ${wrong.text}`);
    if (done.length === 0) throw new FaultError(`None of the ${what} was done`);
    return done;
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
