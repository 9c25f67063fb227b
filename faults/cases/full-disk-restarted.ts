import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FindAnswer } from '../../core/app/find.ts';
import { Overview } from '../../core/app/models.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { parseAs } from '../../core/json/shape.ts';
import { runCommand } from '../commands.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { until } from '../wait.ts';
import { noSmallDisk, onSmallDisk, type SmallDisk } from '../small-disk.ts';

const rounds = { full: 4, short: 1 } as const;

/** Bytes of the disk, at first and once there is room again. */
const size = { full: 6 * 1024 * 1024, roomy: 16 * 1024 * 1024 } as const;

const plan = JSON.stringify({
  ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { reference: 'Patient/p' } },
  description: 'x'.repeat(20_000),
});
const plans = `${fhirPath}/CarePlan`;

/** What the commands that only look end with on a full disk, and the one that would write. */
const commands = [
  { command: ['verify'], code: 0 },
  { command: ['audit'], code: 0 },
  { command: ['token', 'list'], code: 0 },
  { command: ['backup'], code: 10 },
] as const;

/** The first thing that somebody does whose disk is full. */
export const fullDiskRestarted: FaultCase = {
  name: 'full-disk-restarted',
  claim:
    'On a disk that is full to its last byte a server starts behind an orderly end and behind a kill: it reads every record that it acknowledged, searches, checks its trail, says once that the disk is full, and refuses writes with 507, while the finder answers that it is behind; once there is room it writes, and the finder catches up, without a restart. `verify`, `audit` and `token list` run, and `backup` says that there is too little room.',
  beside: true,
  long: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  const { extent, folder, tally } = context;
  for (let round = 0; round < rounds[extent]; round += 1) {
    for (const end of ['stop', 'kill'] as const) {
      const place = join(folder, `${end}-${round}`);
      await mkdir(place);
      const ran = await onSmallDisk(place, size.full, (disk) => restart(disk, end, context));
      if (!ran) return { result: 'not run', reason: noSmallDisk };
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
  await expectStatus(server, 507, 'POST', plans, plan);
  if (server.said().split('The disk is full').length !== 2) throw new FaultError(`It said: ${server.said()}`);
  tally.add('records read on a full disk', ids.length);
  await server[end]();
  for (const { command, code } of commands) {
    const ended = await runCommand([...command, '--data', data]);
    if (ended.code !== code)
      throw new FaultError(`${command.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
  }
  const next = await startServer(data);
  await expectReading(next, ids);
  await disk.resize(size.roomy);
  await expectStatus(next, 201, 'POST', plans, plan);
  await expectReading(next, ids, 1);
  await until('A whole index of the finder', async () => (await behind(next)) === 0);
  await next.stop();
  await expectVerified(data);
}

/** Creates records until the disk takes no more; answers those that were acknowledged. */
async function fillWithRecords(data: string, end: 'stop' | 'kill'): Promise<string[]> {
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const ids: string[] = [];
  for (;;) {
    const { status, text } = await send(server, 'POST', plans, plan);
    if (status !== 201) break;
    ids.push(String((JSON.parse(text) as { id: unknown }).id));
  }
  await server[end]();
  return ids;
}

async function expectReading(server: FaultServer, ids: readonly string[], more = 0): Promise<void> {
  for (const id of ids) await expectStatus(server, 200, 'GET', `${plans}/${id}`);
  const found = await expectStatus(server, 200, 'GET', `${plans}?subject=Patient/p&_summary=count`);
  const { total } = JSON.parse(found) as { total: unknown };
  if (total !== ids.length + more)
    throw new FaultError(`${ids.length + more} records, a search finds ${String(total)}`);
  const verdict = await expectStatus(server, 200, 'POST', '/app/audit/verify', '{}');
  if (verdict.includes('broken')) throw new FaultError(`The trail is broken: ${verdict}`);
  if (more === 0 && (await behind(server)) === 0)
    throw new FaultError('The finder says that it is whole, and the disk is full.');
  const overview = parseAs(Overview, await expectStatus(server, 200, 'GET', '/app/overview'));
  const disk = more === 0 ? 'full' : 'ok';
  if (overview?.disk !== disk) throw new FaultError(`The overview says ${overview?.disk}, and it is ${disk}`);
}

/** How many versions the finder has still to read; null where its index cannot be kept. */
async function behind(server: FaultServer): Promise<number | null | undefined> {
  return parseAs(FindAnswer, await expectStatus(server, 200, 'GET', '/app/find?q=p'))?.behind;
}

async function expectStatus(
  server: FaultServer,
  status: number,
  ...request: [method: string, path: string, body?: string]
): Promise<string> {
  const answer = await send(server, ...request);
  if (answer.status === status) return answer.text;
  throw new FaultError(
    `${request[0]} ${request[1]} was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
  );
}
