import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FindAnswer } from '../../core/app/find.ts';
import { Overview } from '../../core/app/models.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { parseAs } from '../../core/json/shape.ts';
import { runCommand } from '../commands.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { waitUntil } from '../wait.ts';
import { noSmallDisk, onSmallDisk, type SmallDisk } from '../small-disk.ts';

const rounds = { full: 4, short: 1 } as const;

/** Bytes of the disk: at first, and after it has grown. */
const diskBytes = { full: 6 * 1024 * 1024, roomy: 16 * 1024 * 1024 } as const;

const plan = JSON.stringify({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/p' },
  description: 'x'.repeat(20_000),
});
const plansPath = `${fhirPath}/CarePlan`;

/** Exit codes on a full disk: of commands that only read, and of one that writes. */
const commands = [
  { command: ['verify'], code: 0 },
  { command: ['audit'], code: 0 },
  { command: ['token', 'list'], code: 0 },
  { command: ['backup'], code: 10 },
] as const;

/** A restart is the first reaction to a full disk. */
export const fullDiskRestarted: FaultCase = {
  name: 'full-disk-restarted',
  claim:
    'On a disk that is full to its last byte, a server starts after an orderly stop and after a kill. It reads every acknowledged record, searches, verifies its audit log, reports once that the disk is full, and rejects writes with 507, while the finder reports that it is behind. As soon as there is space, it writes and the finder catches up, without a restart. `verify`, `audit` and `token list` run, and `backup` reports too little space.',
  parallel: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  const { runLength, folder, tally } = context;
  for (let round = 0; round < rounds[runLength]; round += 1) {
    for (const end of ['stop', 'kill'] as const) {
      const diskFolder = join(folder, `${end}-${round}`);
      await mkdir(diskFolder);
      const wasRun = await onSmallDisk(diskFolder, diskBytes.full, (disk) => restart(disk, end, context));
      if (!wasRun) return { result: 'not run', reason: noSmallDisk };
      tally.add(`started on a full disk behind a ${end}`, 1);
    }
  }
  return { result: 'passed', figures: tally.figures };
}

async function restart(disk: SmallDisk, end: 'stop' | 'kill', { tally }: FaultContext): Promise<void> {
  const data = join(disk.path, 'data');
  const ids = await fillWithRecords(data, end);
  await disk.fill();
  const server = await startServer(data);
  await expectReading(server, ids);
  await expectStatus(server, 507, 'POST', plansPath, plan);
  if (server.stderr().split('The disk is full').length !== 2)
    throw new FaultError(`It said: ${server.stderr()}`);
  tally.add('records read on a full disk', ids.length);
  await server[end]();
  for (const { command, code } of commands) {
    const result = await runCommand([...command, '--data', data]);
    if (result.code !== code)
      throw new FaultError(`${command.join(' ')} ended with ${result.code}: ${result.stderr}`);
  }
  const nextServer = await startServer(data);
  await expectReading(nextServer, ids);
  await disk.resize(diskBytes.roomy);
  await expectStatus(nextServer, 201, 'POST', plansPath, plan);
  await expectReading(nextServer, ids, 1);
  await waitUntil('A whole index of the finder', async () => (await fetchBacklog(nextServer)) === 0);
  await nextServer.stop();
  await expectVerified(data);
}

/** Creates records until the disk is full. Returns the ids of the acknowledged ones. */
async function fillWithRecords(data: string, end: 'stop' | 'kill'): Promise<string[]> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const ids: string[] = [];
  for (;;) {
    const { status, text } = await send(server, 'POST', plansPath, plan);
    if (status !== 201) break;
    ids.push(String((JSON.parse(text) as { id: unknown }).id));
  }
  await server[end]();
  return ids;
}

async function expectReading(server: FaultServer, ids: readonly string[], addedCount = 0): Promise<void> {
  for (const id of ids) await expectStatus(server, 200, 'GET', `${plansPath}/${id}`);
  const searchText = await expectStatus(server, 200, 'GET', `${plansPath}?subject=Patient/p&_summary=count`);
  const { total } = JSON.parse(searchText) as { total: unknown };
  if (total !== ids.length + addedCount)
    throw new FaultError(`${ids.length + addedCount} records, a search finds ${String(total)}`);
  const verification = await expectStatus(server, 200, 'POST', '/app/audit/verify', '{}');
  if (verification.includes('broken')) throw new FaultError(`The trail is broken: ${verification}`);
  if (addedCount === 0 && (await fetchBacklog(server)) === 0)
    throw new FaultError('The finder says that it is whole, and the disk is full.');
  const overview = parseAs(Overview, await expectStatus(server, 200, 'GET', '/app/overview'));
  const expectedDisk = addedCount === 0 ? 'full' : 'ok';
  if (overview?.disk !== expectedDisk)
    throw new FaultError(`The overview says ${overview?.disk}, and it is ${expectedDisk}`);
}

/** Returns how many versions the finder has yet to read, or null if its index cannot be stored. */
async function fetchBacklog(server: FaultServer): Promise<number | null | undefined> {
  return parseAs(FindAnswer, await expectStatus(server, 200, 'GET', '/app/find?q=p'))?.behind;
}

async function expectStatus(
  server: FaultServer,
  status: number,
  ...request: [method: string, path: string, body?: string]
): Promise<string> {
  const response = await send(server, ...request);
  if (response.status === status) return response.text;
  throw new FaultError(
    `${request[0]} ${request[1]} was answered ${response.status}: ${response.text.slice(0, 300)}`,
  );
}
