import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FindAnswer } from '../../core/app/find.ts';
import { parseAs } from '../../core/json/shape.ts';
import { loadTraining } from '../../server/import/load-training.ts';
import { openRecords } from '../../server/start.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { waitUntil } from '../wait.ts';

const kills = { full: 8, short: 2 } as const;

/** Queries for both indexes: starts and middles of words, several words, the start of an id. */
const queries = ['a', 'di', 'care plan', 'hyper', 'ward', 'ann', 'demo', 'plan wound'];

/** Servers that are killed one after another fill the index of the finder. */
export const finderKilled: FaultCase = {
  name: 'finder-killed',
  claim:
    'A finder index whose filling is killed again and again is completed, and finds the same as an index that was filled without interruption. The records stay unchanged.',
  parallel: true,
  long: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const { store, service } = await openRecords(folder);
  for (const set of ['clean', 'migration'] as const)
    await loadTraining(service, set, { author: 'fault', seed });
  const records = Object.values(await store.count()).reduce((sum, count) => sum + count, 0);
  tally.add('records', records);
  await store.close();
  for (let round = 0; round < kills[runLength]; round += 1) {
    const server = await startServer(folder);
    // Each server gets further than the previous one.
    const maxBacklog = records * (1 - (round + 1) / (kills[runLength] + 1));
    let backlog = Infinity;
    await waitUntil('An index that is further', async () => {
      backlog = (await find(server, 'a')).behind ?? Infinity;
      return backlog <= maxBacklog;
    });
    await server.kill();
    tally.add('kills', 1);
    if (backlog !== 0) tally.add('kills in the middle', 1);
    say(`killed with ${backlog} to go`);
  }
  const actualAnswers = await fetchAnswers(folder);
  await rm(join(folder, 'text.db'));
  const expectedAnswers = await fetchAnswers(folder);
  for (const [query, expected] of expectedAnswers) {
    if (!isDeepStrictEqual(actualAnswers.get(query), expected))
      throw new FaultError(`An index that was killed answers "${query}" otherwise.`, tally.figures);
  }
  if ([...expectedAnswers.values()].every(({ records }) => records.length === 0))
    throw new FaultError('Nothing was found.', tally.figures);
  await expectVerified(folder);
  tally.add('questions', expectedAnswers.size);
  return { result: 'passed', figures: tally.figures };
}

/** Returns the answers of a server with a complete index. */
async function fetchAnswers(folder: string): Promise<Map<string, FindAnswer>> {
  const server = await startServer(folder);
  await waitUntil('A whole index', async () => (await find(server, 'a')).behind === 0);
  const answersByQuery = new Map<string, FindAnswer>();
  for (const query of queries) answersByQuery.set(query, await find(server, query));
  await server.stop();
  return answersByQuery;
}

async function find(server: FaultServer, query: string): Promise<FindAnswer> {
  const { status, text } = await send(server, 'GET', `/app/find?q=${encodeURIComponent(query)}`);
  const answer = parseAs(FindAnswer, text);
  if (status === 200 && answer) return answer;
  throw new FaultError(`The finder answered ${status}: ${text.slice(0, 200)}`);
}
