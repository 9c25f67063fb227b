import { createClient, type Client } from '../core/api/client.ts';
import { pathOf } from '../core/api/contract.ts';
import type { BulkOperation } from '../core/app/bulk.ts';
import { Random } from '../server/demo/random.ts';
import type { Target } from '../renderer/features/bulk/bulk-state.ts';
import { keepOutcomes, keepRun, keepUndo, readRun, turnRun } from '../renderer/features/bulk/kept-run.ts';
import { examineTarget, replacing } from '../renderer/features/bulk/replace-target.ts';
import { eachTarget, RunHalted } from '../renderer/features/bulk/run-loop.ts';
import type { RunWork, WorkOptions } from '../renderer/features/bulk/target-work.ts';
import { undoing } from '../renderer/features/bulk/undo-target.ts';
import { FaultError, type FaultContext } from './fault-case.ts';
import { send, type FaultServer } from './server.ts';

/** Records that come back between two kills, at most. */
const apart = 20;

const operations: readonly BulkOperation[] = [{ path: '/status', value: '"active"' }];

/** Digits that a number of JavaScript cannot hold: an undo puts back the text, not a value. */
const plan = (number: number) =>
  `{"resourceType":"CarePlan","status":"draft","intent":"plan","title":"Plan ${number}","subject":{"reference":"Patient/p"},"activity":[{"detail":{"status":"scheduled","dailyAmount":{"value":${number}.10000000000000000000}}}]}`;

/**
 * Has a bulk run and its undo go on through so many kills each, as the page does, and looks at what became of the records:
 * `next` answers the server that is asked from then on, behind each kill another one or the same anew.
 */
export async function bulkThroughKills(
  { seed, tally, say }: Pick<FaultContext, 'seed' | 'tally' | 'say'>,
  kills: number,
  next: () => Promise<FaultServer>,
): Promise<FaultServer> {
  const random = new Random(seed, 0, 18);
  const records = kills * (apart + 10);
  let server = await next();
  const ids: string[] = [];
  for (let number = 0; number < records; number += 1) {
    const answer = await send(server, 'POST', pathOf('CarePlan'), plan(number));
    ids.push((JSON.parse(answer.text) as { id: string }).id);
  }

  /** Works a kept run to its end through all kills. */
  const complete = async (id: string, work: RunWork, what: string) => {
    for (let kill = 0; kill < kills; kill += 1) {
      if (await gone(server, id, work, random.between(1, apart)))
        throw new FaultError(`The ${what} ended before the last kill.`, tally.figures);
      tally.add(`kills in the ${what}`, 1);
      server = await next();
    }
    if (!(await gone(server, id, work, Infinity)))
      throw new FaultError(`The ${what} did not end.`, tally.figures);
    say(`the ${what} has ended`);
    const { targets } = await readRun(clientOf(server), id);
    const other = targets.filter(({ state }) => state !== 'done');
    if (targets.length !== records || other.length > 0)
      throw new FaultError(`${other.length} records of the ${what} are not told as done.`, tally.figures);
  };

  const client = clientOf(server);
  const waiting = ids.map((id): Target => ({ type: 'CarePlan', id, title: '', state: 'waiting' }));
  const examined = await Promise.all(waiting.map((target) => examineTarget(target, optionsOf(client))));
  const { id } = await keepRun(client, 'Plans', operations, examined);
  await complete(id, replacing, 'run');
  const undo = await keepUndo(clientOf(server), id, 'Undo of Plans');
  await complete(undo.id, undoing, 'undo');

  for (const one of ids) {
    const [first, second, third, fourth] = await Promise.all(
      [1, 2, 3, 4].map((version) => send(server, 'GET', `${pathOf('CarePlan', one)}/_history/${version}`)),
    );
    if (fourth?.status !== 404 || second === undefined || first === undefined || third === undefined)
      throw new FaultError('A record was written more than once.', tally.figures);
    const changed = bare(first.text).replace('"status":"draft"', '"status":"active"');
    if (bare(second.text) !== changed || bare(third.text) !== bare(first.text))
      throw new FaultError('A record does not say what the run or its undo makes of it.', tally.figures);
  }
  tally.add('records', records);
  return server;
}

/** Goes on with a run as the page does, until so many records came back; then the server is killed. Whether it ended. */
async function gone(server: FaultServer, id: string, work: RunWork, outcomes: number): Promise<boolean> {
  const client = clientOf(server);
  const { targets } = await readRun(client, id);
  await turnRun(client, id, 'running');
  const places = targets.flatMap(({ state }, place) => (state === 'ready' ? [place] : []));
  let left = outcomes;
  try {
    await eachTarget(places, (place) => targets[place], {
      work: async (target, place) => {
        const putBack = work === undoing ? () => client.putBack(id, place) : undefined;
        const settled = await work.send(target, { ...optionsOf(client), putBack });
        left -= 1;
        if (left === 0) await server.kill();
        return settled;
      },
      report: (settled) => keepOutcomes(client, id, settled),
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (error instanceof RunHalted && left <= 0) return false;
    throw error;
  }
  await turnRun(client, id, 'finished');
  return true;
}

function clientOf({ port, token }: FaultServer): Client {
  return createClient({ base: `http://127.0.0.1:${port}`, fetch, token: () => token });
}

function optionsOf(client: Client): WorkOptions {
  return {
    ...{ client, operations },
    judge: { level: 'standard', today: '2026-11-24', compute: () => Promise.resolve([]) },
  };
}

/** A text without what the server writes into it. */
function bare(text: string): string {
  return text.replace(/"meta":\{[^}]*\},?/, '');
}
