import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '../core/api/client.ts';
import { fhirPath } from '../core/api/contract.ts';
import { stringMember, type JsonNode } from '../core/json/node.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import { keepOutcomes, keepRun, keepUndo, readRun, turnRun } from '../renderer/features/bulk/kept-run.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget } from '../renderer/features/bulk/run-loop.ts';
import type { RunWork, WorkOptions } from '../renderer/features/bulk/target-work.ts';
import { undoing } from '../renderer/features/bulk/undo-target.ts';
import type { MendLine } from './mend-line.ts';
import { startOurs } from './processes.ts';
import type { Cleanup } from './stores.ts';

const plan = (number: number) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","title":"Plan ${number}","subject":{"reference":"Patient/p${number % 500}"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":${number}.10}}}]}`;

/** A bulk run over so many records, and its undo. */
export async function measureRun(
  records: number,
  cleanup: Cleanup,
  log: (line: string) => void,
): Promise<MendLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanup.push(() => rm(folder, { recursive: true, force: true }));
  const server = await startOurs(folder);
  cleanup.push(() => server.stop());
  const client = createClient({
    ...{ base: `http://127.0.0.1:${server.port}`, fetch },
    token: () => server.token,
  });
  await imported(server, records);
  const options: WorkOptions = {
    client,
    operations: [{ path: '/status', value: '"active"' }],
    judge: { level: 'standard', today: '2026-11-24', compute: () => Promise.resolve([]) },
  };
  const targets: Target[] = [];
  for (let page = await client.search('CarePlan', [['_count', '1000']]); ;) {
    for (const { node } of page.records) targets.push(await examineTarget(targetOf(node), options));
    if (page.next === undefined) break;
    page = await client.nextPage('CarePlan', page.next);
  }
  const { id } = await keepRun(client, 'Plans', options.operations, targets);
  const ran = await timed(() => worked(client, id, targets, replacing, options));
  const undo = await keepUndo(client, id, 'Undo of Plans');
  const { targets: written } = await readRun(client, undo.id);
  const undone = await timed(() => worked(client, undo.id, written, undoing, options));
  log(`A run of ${records}: ${ran.toFixed(1)} s, its undo ${undone.toFixed(1)} s`);
  const name = `${records.toLocaleString('en')} records`;
  const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${Math.round(records / seconds)} a second`;
  return [
    { what: `Bulk run, ${name}`, figure: rate(ran), target: '', reached: true },
    {
      ...{ what: `Undo of that run`, figure: `${rate(undone)}; ${(undone / ran).toFixed(2)} × the run` },
      ...{ target: '≤ 1 × the run', reached: undone <= ran },
    },
  ];
}

async function imported({ port, token }: { port: number; token: string }, records: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: Array.from({ length: records }, (_, number) => plan(number)).join('\n'),
  });
  const said = await answer.text();
  if (!said.includes(`"stored":${records}`))
    throw new Error(`The import below ${fhirPath} said ${said.slice(-200)}`);
}

function targetOf(node: JsonNode): Target {
  return { type: 'CarePlan', id: stringMember(node, 'id') ?? '', title: '', state: 'waiting' };
}

/** Works a kept run as the page does; each record has to be done. */
async function worked(
  client: Client,
  id: string,
  targets: readonly Target[],
  work: RunWork,
  options: WorkOptions,
): Promise<void> {
  await turnRun(client, id, 'running');
  let done = 0;
  await eachTarget([...targets.keys()], (place) => targets[place], {
    work: (target, place) =>
      work.send(target, {
        ...options,
        putBack: work === undoing ? () => client.putBack(id, place) : undefined,
      }),
    report: async (settled) => {
      done += settled.filter(({ target: { state } }) => state === 'done').length;
      await keepOutcomes(client, id, settled);
    },
    signal: new AbortController().signal,
  });
  await turnRun(client, id, 'finished');
  if (done !== targets.length) throw new Error(`${targets.length - done} records were not written.`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
