import { createClient, type Client } from '../core/api/client.ts';
import { pathOf } from '../core/api/contract.ts';
import type { BulkOperation } from '../core/app/bulk.ts';
import { Random } from '../server/demo/random.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import {
  saveOutcomes,
  saveRun,
  saveUndo,
  readRun,
  setRunState,
} from '../renderer/features/bulk/saved-run.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget, RunAbortedError } from '../renderer/features/bulk/run-loop.ts';
import type { RunWork, WorkOptions } from '../renderer/features/bulk/target-work.ts';
import { undoing } from '../renderer/features/bulk/undo-target.ts';
import { FaultError, type FaultContext } from './fault-case.ts';
import { send, type FaultServer } from './server.ts';

/** Highest number of records that finish between two kills. */
const maxRecordsBetweenKills = 20;

const operations: readonly BulkOperation[] = [{ path: '/status', value: '"active"' }];

/** The digits exceed a JavaScript number, so the undo must restore the text and not a parsed value. */
const createPlanText = (number: number) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","title":"Plan ${number}","subject":{"reference":"Patient/p"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":${number}.10000000000000000000}}}]}`;

/**
 * Runs a bulk run and its undo through a number of kills each, as the page does, and checks the records.
 *
 * @param next - Returns the server to use from now on: another server, or the killed one restarted.
 */
export async function runBulkThroughKills(
  { seed, tally, say }: Pick<FaultContext, 'seed' | 'tally' | 'say'>,
  kills: number,
  next: () => Promise<FaultServer>,
): Promise<FaultServer> {
  const random = new Random(seed, 0, 18);
  const records = kills * (maxRecordsBetweenKills + 10);
  let server = await next();
  const ids: string[] = [];
  for (let number = 0; number < records; number += 1) {
    const answer = await send(server, 'POST', pathOf('CarePlan'), createPlanText(number));
    ids.push((JSON.parse(answer.text) as { id: string }).id);
  }

  /** Completes a saved run in spite of all kills. */
  const complete = async (id: string, work: RunWork, description: string) => {
    for (let kill = 0; kill < kills; kill += 1) {
      if (await workUntilKilled(server, id, work, random.integerBetween(1, maxRecordsBetweenKills)))
        throw new FaultError(`The ${description} ended before the last kill.`, tally.figures);
      tally.add(`kills in the ${description}`, 1);
      server = await next();
    }
    if (!(await workUntilKilled(server, id, work, Infinity)))
      throw new FaultError(`The ${description} did not end.`, tally.figures);
    say(`the ${description} has ended`);
    const { targets } = await readRun(createRunClient(server), id);
    const unfinishedTargets = targets.filter(({ state }) => state !== 'done');
    if (targets.length !== records || unfinishedTargets.length > 0)
      throw new FaultError(
        `${unfinishedTargets.length} records of the ${description} are not told as done.`,
        tally.figures,
      );
  };

  const client = createRunClient(server);
  const waitingTargets = ids.map((id): Target => ({ type: 'CarePlan', id, title: '', state: 'waiting' }));
  const examinedTargets = await Promise.all(
    waitingTargets.map((target) => examineTarget(target, createWorkOptions(client))),
  );
  const { id } = await saveRun(client, 'Plans', operations, examinedTargets);
  await complete(id, replacing, 'run');
  const undo = await saveUndo(createRunClient(server), id, 'Undo: Plans');
  await complete(undo.id, undoing, 'undo');

  for (const recordId of ids) {
    const [firstVersion, secondVersion, thirdVersion, fourthVersion] = await Promise.all(
      [1, 2, 3, 4].map((version) =>
        send(server, 'GET', `${pathOf('CarePlan', recordId)}/_history/${version}`),
      ),
    );
    if (
      fourthVersion?.status !== 404 ||
      secondVersion === undefined ||
      firstVersion === undefined ||
      thirdVersion === undefined
    )
      throw new FaultError('A record was written more than once.', tally.figures);
    const expectedText = removeMeta(firstVersion.text).replace('"status":"draft"', '"status":"active"');
    if (
      removeMeta(secondVersion.text) !== expectedText ||
      removeMeta(thirdVersion.text) !== removeMeta(firstVersion.text)
    )
      throw new FaultError('A record does not say what the run or its undo makes of it.', tally.figures);
  }
  tally.add('records', records);
  return server;
}

/**
 * Continues a run as the page does. Kills the server after a number of outcomes. Returns true if the run
 * ended before the kill.
 */
async function workUntilKilled(
  server: FaultServer,
  id: string,
  work: RunWork,
  outcomes: number,
): Promise<boolean> {
  const client = createRunClient(server);
  const { targets } = await readRun(client, id);
  await setRunState(client, id, 'running');
  const indexes = targets.flatMap(({ state }, index) => (state === 'ready' ? [index] : []));
  let remainingOutcomes = outcomes;
  try {
    await eachTarget(indexes, (index) => targets[index], {
      work: async (target, index) => {
        const putBack = work === undoing ? () => client.revert(id, index) : undefined;
        const completed = await work.writeTarget(target, { ...createWorkOptions(client), revert: putBack });
        remainingOutcomes -= 1;
        if (remainingOutcomes === 0) await server.kill();
        return completed;
      },
      report: (completed) => saveOutcomes(client, id, completed),
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (error instanceof RunAbortedError && remainingOutcomes <= 0) return false;
    throw error;
  }
  await setRunState(client, id, 'finished');
  return true;
}

function createRunClient({ port, token }: FaultServer): Client {
  return createClient({ base: `http://127.0.0.1:${port}`, fetch, token: () => token });
}

function createWorkOptions(client: Client): WorkOptions {
  return {
    client,
    operations,
    examineOptions: { level: 'standard', today: '2026-11-24', compute: () => Promise.resolve([]) },
  };
}

/** Returns a record's text without the metadata that the server sets. */
function removeMeta(text: string): string {
  return text.replace(/"meta":\{[^}]*\},?/, '');
}
