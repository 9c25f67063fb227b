import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { ErasureDone } from '../../core/app/erasures.ts';
import { parseAs } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { countCallsOfStart } from '../killed-start.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const kills = { full: 60, short: 4 } as const;

/** Text in each version of the erased record, and in its draft. */
const canary = 'Quokka-7713-canary';
const versions = 5;
const otherRecords = 40;

const plansPath = `${fhirPath}/CarePlan`;
const createPlan = (elements: object) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
    ...elements,
  });

/** A record is erased, and the erasing server is killed at any of its writes. */
export const erased: FaultCase = {
  name: 'erased',
  claim:
    'The text of an erased record remains in no file of the data folder except the backups that the response lists: not in the databases, their free pages, their logs or the drafts. After a kill or a power cut at any write, the record is either erased or complete at the next start.',
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const base = join(folder, 'base');
  const target = await createTargetStore(base);
  const shim = await compileShim(folder);
  const undisturbed = await createCopy(
    join(folder, 'whole'),
    base,
    'reason' in shim ? undefined : shim.library,
  );
  const before = undisturbed.disk ? await countCallsOfStart(undisturbed.disk) : 0;
  await undisturbed.disk?.resetShadow();
  const server = await startServer(undisturbed.data, { env: undisturbed.disk?.env({ seed }) ?? {} });
  await eraseCompletely(server, undisturbed.data, target);
  const listedBackups = await fetchListedBackups(server);
  await server.stop();
  await expectErased(undisturbed.data, listedBackups);
  await expectVerified(undisturbed.data);
  tally.add('texts that were erased', versions + 1);
  tally.add('backups that were listed', 1);
  if ('reason' in shim || !undisturbed.disk) return { result: 'passed', figures: tally.figures };
  const calls = await undisturbed.disk.countCalls();
  const random = new Random(seed, 0, 9);
  for (let round = 0; round < kills[runLength]; round += 1) {
    const { disk, data } = await createCopy(join(folder, `kill-${round}`), base, shim.library);
    // Earlier writes belong to the start. Other cases kill that.
    const killAt = random.integerBetween(Math.floor(before / 2), calls);
    const acknowledged = await eraseUntilKilled(
      data,
      target,
      disk?.env({ seed: seed + round, killAt }) ?? {},
    );
    if (round % 2 === 1) await disk?.cutPower();
    tally.add(round % 2 === 1 ? 'power cuts' : 'kills', 1);
    tally.add(await checkState(data, target, acknowledged), 1);
  }
  return { result: 'passed', figures: tally.figures };
}

/** The record to erase, and the name of the only backup that contains it. */
interface Target {
  readonly id: string;
  readonly backup: string;
}

async function createTargetStore(data: string): Promise<Target> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  for (let index = 0; index < otherRecords; index += 1)
    await expectResponse(server, 201, 'POST', plansPath, createPlan({ title: `Other ${index}` }));
  const body = createPlan({ title: canary, note: [{ text: canary.repeat(400) }] });
  const { id } = JSON.parse(await expectResponse(server, 201, 'POST', plansPath, body)) as { id: string };
  for (let version = 2; version <= versions; version += 1)
    await expectResponse(
      server,
      200,
      'PUT',
      `${plansPath}/${id}`,
      createPlan({ title: `${canary} ${version}`, description: canary }),
    );
  const draft = { type: 'CarePlan', recordId: id, title: canary, window: 'w', base: canary, text: canary };
  await expectResponse(server, 200, 'PUT', '/app/drafts/d-1', JSON.stringify(draft));
  const { name } = JSON.parse(await expectResponse(server, 201, 'POST', '/app/backups', '{}')) as {
    name: string;
  };
  await server.stop();
  return { id, backup: name };
}

async function createCopy(folder: string, base: string, library: string | undefined) {
  if (library === undefined) {
    await cp(base, folder, { recursive: true });
    return { data: folder };
  }
  const disk = await Disk.make(folder, library);
  await cp(base, disk.data, { recursive: true });
  return { disk, data: disk.data };
}

async function eraseCompletely(server: FaultServer, data: string, { id, backup }: Target): Promise<void> {
  const erasure = parseAs(
    ErasureDone,
    await expectResponse(server, 201, 'POST', '/app/erasures', createErasure(id)),
  );
  const names = erasure?.backups.map(({ name }) => name) ?? [];
  if (!names.includes(backup))
    throw new FaultError('The answer does not list the backup that holds the record');
  await expectErased(data, await fetchListedBackups(server));
}

/**
 * Returns the names of the backups that still contain the record, by the server. The end of a session creates
 * a backup of the workspace.
 */
async function fetchListedBackups(server: FaultServer): Promise<ReadonlySet<string>> {
  const { erasures } = JSON.parse(await expectResponse(server, 200, 'GET', '/app/erasures')) as {
    erasures: ErasureDone[];
  };
  return new Set(erasures.flatMap(({ backups }) => backups.map(({ name }) => name)));
}

/** Returns true if the erasure was acknowledged before the server died. */
async function eraseUntilKilled(
  data: string,
  { id }: Target,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const server = await startServer(data, { env });
    const response = await send(server, 'POST', '/app/erasures', createErasure(id)).catch(() => undefined);
    await server.stop().catch(() => undefined);
    return response?.status === 201;
  } catch {
    // The server was killed before it listened.
    return false;
  }
}

/** Starts a server and returns whether the record is erased or complete. */
async function checkState(data: string, target: Target, acknowledged: boolean): Promise<'erased' | 'whole'> {
  const server = await startServer(data);
  const { status } = await send(server, 'GET', `${plansPath}/${target.id}`);
  if (status === 410) await expectErased(data, await fetchListedBackups(server));
  else if (status !== 200 || acknowledged) throw new FaultError(`The record is answered ${status}`);
  else {
    for (let version = 1; version <= versions; version += 1)
      await expectResponse(server, 200, 'GET', `${plansPath}/${target.id}/_history/${version}`);
    await eraseCompletely(server, data, target);
  }
  await server.stop();
  await expectVerified(data);
  return status === 410 ? 'erased' : 'whole';
}

/** Asserts that the canary is only in the listed backups, including a partially written one. */
async function expectErased(data: string, listedBackups: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || listedBackups.has(entry.name.replace(/[.]draft$/, ''))) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(canary)) throw new FaultError(`The erased text is in ${basename(entry.name)}`);
  }
}

function createErasure(id: string): string {
  return JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' });
}

async function expectResponse(
  server: FaultServer,
  status: number,
  ...request: [string, string, string?]
): Promise<string> {
  const response = await send(server, ...request);
  if (response.status === status) return response.text;
  throw new FaultError(
    `${request[0]} ${request[1]} was answered ${response.status}: ${response.text.slice(0, 300)}`,
  );
}
