import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { ErasureDone } from '../../core/app/erasures.ts';
import { parseAs } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { callsOfStart } from '../killed-start.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const kills = { full: 60, short: 4 } as const;

/** Stands in each version of the record that goes, and in its draft. */
const canary = 'Quokka-7713-canary';
const versions = 5;
const others = 40;

const plans = `${fhirPath}/CarePlan`;
const plan = (extra: object) =>
  JSON.stringify({
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { reference: 'Patient/p' } },
    ...extra,
  });

/** A record is erased, and whoever erases it is killed at any of its writes. */
export const erased: FaultCase = {
  name: 'erased',
  claim:
    'A text of an erased record is found in no file of the data folder but the backups that the answer lists: not in the databases, their free pages, their logs or the drafts. Killed, or without power, at any write on the way the record is erased or whole at the next start.',
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const base = join(folder, 'base');
  const made = await makeStore(base);
  const shim = await compileShim(folder);
  const whole = await placeOf(join(folder, 'whole'), base, 'reason' in shim ? undefined : shim.library);
  const before = whole.disk ? await callsOfStart(whole.disk) : 0;
  await whole.disk?.forget();
  const server = await startServer(whole.data, { env: whole.disk?.env({ seed }) ?? {} });
  await eraseWhole(server, whole.data, made);
  const listed = await listedBy(server);
  await server.stop();
  await expectGone(whole.data, listed);
  await expectVerified(whole.data);
  tally.add('texts that were erased', versions + 1);
  tally.add('backups that were listed', 1);
  if ('reason' in shim || !whole.disk) return { result: 'passed', figures: tally.figures };
  const calls = await whole.disk.calls();
  const random = new Random(seed, 0, 9);
  for (let one = 0; one < kills[extent]; one += 1) {
    const { disk, data } = await placeOf(join(folder, `kill-${one}`), base, shim.library);
    // What is written before the first request is the start's, which other cases kill.
    const killAt = random.between(Math.floor(before / 2), calls);
    const acknowledged = await eraseAndDie(data, made, disk?.env({ seed: seed + one, killAt }) ?? {});
    if (one % 2 === 1) await disk?.cut();
    tally.add(one % 2 === 1 ? 'power cuts' : 'kills', 1);
    tally.add(await stateOf(data, made, acknowledged), 1);
  }
  return { result: 'passed', figures: tally.figures };
}

/** What was made: the record's id, and the name of the one backup that holds it. */
interface Made {
  readonly id: string;
  readonly backup: string;
}

async function makeStore(data: string): Promise<Made> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  for (let one = 0; one < others; one += 1)
    await ask(server, 201, 'POST', plans, plan({ title: `Other ${one}` }));
  const body = plan({ title: canary, note: [{ text: canary.repeat(400) }] });
  const { id } = JSON.parse(await ask(server, 201, 'POST', plans, body)) as { id: string };
  for (let one = 2; one <= versions; one += 1)
    await ask(server, 200, 'PUT', `${plans}/${id}`, plan({ title: `${canary} ${one}`, description: canary }));
  const draft = { type: 'CarePlan', recordId: id, title: canary, window: 'w', base: canary, text: canary };
  await ask(server, 200, 'PUT', '/app/drafts/d-1', JSON.stringify(draft));
  const { name } = JSON.parse(await ask(server, 201, 'POST', '/app/backups', '{}')) as { name: string };
  await server.stop();
  return { id, backup: name };
}

async function placeOf(place: string, base: string, library: string | undefined) {
  if (library === undefined) {
    await cp(base, place, { recursive: true });
    return { data: place };
  }
  const disk = await Disk.make(place, library);
  await cp(base, disk.data, { recursive: true });
  return { disk, data: disk.data };
}

async function eraseWhole(server: FaultServer, data: string, { id, backup }: Made): Promise<void> {
  const done = parseAs(ErasureDone, await ask(server, 201, 'POST', '/app/erasures', erasureOf(id)));
  const names = done?.backups.map(({ name }) => name) ?? [];
  if (!names.includes(backup))
    throw new FaultError('The answer does not list the backup that holds the record');
  await expectGone(data, await listedBy(server));
}

/** Names of the backups that the server says hold the record still; a session's end makes one of the workspace. */
async function listedBy(server: FaultServer): Promise<ReadonlySet<string>> {
  const { erasures } = JSON.parse(await ask(server, 200, 'GET', '/app/erasures')) as {
    erasures: ErasureDone[];
  };
  return new Set(erasures.flatMap(({ backups }) => backups.map(({ name }) => name)));
}

/** Answers whether the erasure was acknowledged before the server died. */
async function eraseAndDie(
  data: string,
  { id }: Made,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const server = await startServer(data, { env });
    const answer = await send(server, 'POST', '/app/erasures', erasureOf(id)).catch(() => undefined);
    await server.stop().catch(() => undefined);
    return answer?.status === 201;
  } catch {
    // It died on its way to listening.
    return false;
  }
}

/** Whether the record is erased or whole once a server has started. */
async function stateOf(data: string, made: Made, acknowledged: boolean): Promise<'erased' | 'whole'> {
  const server = await startServer(data);
  const { status } = await send(server, 'GET', `${plans}/${made.id}`);
  if (status === 410) await expectGone(data, await listedBy(server));
  else if (status !== 200 || acknowledged) throw new FaultError(`The record is answered ${status}`);
  else {
    for (let one = 1; one <= versions; one += 1)
      await ask(server, 200, 'GET', `${plans}/${made.id}/_history/${one}`);
    await eraseWhole(server, data, made);
  }
  await server.stop();
  await expectVerified(data);
  return status === 410 ? 'erased' : 'whole';
}

/** The canary is in no file but the backups that are listed, one that is being written among them. */
async function expectGone(data: string, listed: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || listed.has(entry.name.replace(/[.]draft$/, ''))) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(canary)) throw new FaultError(`The erased text is in ${basename(entry.name)}`);
  }
}

function erasureOf(id: string): string {
  return JSON.stringify({ type: 'CarePlan', id, reason: 'Asked for.' });
}

async function ask(
  server: FaultServer,
  status: number,
  ...request: [string, string, string?]
): Promise<string> {
  const answer = await send(server, ...request);
  if (answer.status === status) return answer.text;
  throw new FaultError(
    `${request[0]} ${request[1]} was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
  );
}
