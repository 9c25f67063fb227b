import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '../core/api/client.ts';
import { fhirPath } from '../core/api/contract.ts';
import { stringMember, type JsonNode } from '../core/json/node.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import {
  saveOutcomes,
  saveRun,
  saveUndo,
  readRun,
  setRunState,
} from '../renderer/features/bulk/saved-run.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget } from '../renderer/features/bulk/run-loop.ts';
import type { RunWork, WorkOptions } from '../renderer/features/bulk/target-work.ts';
import { undoing } from '../renderer/features/bulk/undo-target.ts';
import type { MendLine } from './mend-line.ts';
import { startOurs } from './processes.ts';
import type { CleanupSteps } from './stores.ts';

const createPlanText = (number: number) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","title":"Plan ${number}","subject":{"reference":"Patient/p${number % 500}"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":${number}.10}}}]}`;

/** Measures a bulk run over a number of records, and its undo. */
export async function measureRun(
  records: number,
  cleanupSteps: CleanupSteps,
  log: (line: string) => void,
): Promise<MendLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanupSteps.push(() => rm(folder, { recursive: true, force: true }));
  const server = await startOurs(folder);
  cleanupSteps.push(() => server.stop());
  const client = createClient({
    base: `http://127.0.0.1:${server.port}`,
    fetch,
    token: () => server.token,
  });
  await importPlans(server, records);
  const options: WorkOptions = {
    client,
    operations: [{ path: '/status', value: '"active"' }],
    examineOptions: { level: 'standard', today: '2026-11-24', compute: () => Promise.resolve([]) },
  };
  const targets: Target[] = [];
  for (let page = await client.search('CarePlan', [['_count', '1000']]); ;) {
    for (const { node } of page.records) targets.push(await examineTarget(toTarget(node), options));
    if (page.next === undefined) break;
    page = await client.nextPage('CarePlan', page.next);
  }
  const { id } = await saveRun(client, 'Plans', options.operations, targets);
  const runSeconds = await measureSeconds(() => completeRun(client, id, targets, replacing, options));
  const undo = await saveUndo(client, id, 'Undo of Plans');
  const { targets: undoTargets } = await readRun(client, undo.id);
  const undoSeconds = await measureSeconds(() => completeRun(client, undo.id, undoTargets, undoing, options));
  log(`A run of ${records}: ${runSeconds.toFixed(1)} s, its undo ${undoSeconds.toFixed(1)} s`);
  const name = `${records.toLocaleString('en')} records`;
  const formatRate = (seconds: number) =>
    `${seconds.toFixed(1)} s, ${Math.round(records / seconds)} a second`;
  return [
    { title: `Bulk run, ${name}`, figure: formatRate(runSeconds), target: '', isReached: true },
    {
      title: `Undo of that run`,
      figure: `${formatRate(undoSeconds)}; ${(undoSeconds / runSeconds).toFixed(2)} × the run`,
      target: '≤ 1 × the run',
      isReached: undoSeconds <= runSeconds,
    },
  ];
}

async function importPlans({ port, token }: { port: number; token: string }, records: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: Array.from({ length: records }, (_, number) => createPlanText(number)).join('\n'),
  });
  const responseText = await response.text();
  if (!responseText.includes(`"stored":${records}`))
    throw new Error(`The import below ${fhirPath} said ${responseText.slice(-200)}`);
}

function toTarget(node: JsonNode): Target {
  return { type: 'CarePlan', id: stringMember(node, 'id') ?? '', title: '', state: 'waiting' };
}

/** Completes a saved run as the page does. All records must be done. */
async function completeRun(
  client: Client,
  id: string,
  targets: readonly Target[],
  work: RunWork,
  options: WorkOptions,
): Promise<void> {
  await setRunState(client, id, 'running');
  let done = 0;
  await eachTarget([...targets.keys()], (index) => targets[index], {
    work: (target, index) =>
      work.writeTarget(target, {
        ...options,
        revert: work === undoing ? () => client.revert(id, index) : undefined,
      }),
    report: async (completed) => {
      done += completed.filter(({ target: { state } }) => state === 'done').length;
      await saveOutcomes(client, id, completed);
    },
    signal: new AbortController().signal,
  });
  await setRunState(client, id, 'finished');
  if (done !== targets.length) throw new Error(`${targets.length - done} records were not written.`);
}

async function measureSeconds(work: () => Promise<void>): Promise<number> {
  const startTime = performance.now();
  await work();
  return (performance.now() - startTime) / 1000;
}
