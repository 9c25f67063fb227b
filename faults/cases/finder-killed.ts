import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FindAnswer } from '../../core/app/find.ts';
import { parseAs } from '../../core/json/shape.ts';
import { loadTraining } from '../../server/import/load-training.ts';
import { openRecords } from '../../server/start.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { until } from '../wait.ts';

const kills = { full: 8, short: 2 } as const;

/** What is asked of both indexes: beginnings, middles, several words, an id's beginning. */
const questions = ['a', 'di', 'care plan', 'hyper', 'ward', 'ann', 'demo', 'plan wound'];

/** The index of the finder is filled by servers that are killed one after the other. */
export const finderKilled: FaultCase = {
  name: 'finder-killed',
  claim:
    'An index of the finder whose filling is killed again and again is gone on with, and finds what an index finds that was filled in one go; the records are as they were.',
  beside: true,
  long: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const { store, service } = await openRecords(folder);
  for (const set of ['clean', 'migration'] as const)
    await loadTraining(service, set, { author: 'fault', seed });
  const records = Object.values(await store.count()).reduce((sum, count) => sum + count, 0);
  tally.add('records', records);
  await store.close();
  for (let one = 0; one < kills[extent]; one += 1) {
    const server = await startServer(folder);
    // Each lets it come further than the one before.
    const left = records * (1 - (one + 1) / (kills[extent] + 1));
    let behind = Infinity;
    await until('An index that is further', async () => {
      behind = (await ask(server, 'a')).behind ?? Infinity;
      return behind <= left;
    });
    await server.kill();
    tally.add('kills', 1);
    if (behind !== 0) tally.add('kills in the middle', 1);
    say(`killed with ${behind} to go`);
  }
  const found = await answersOf(folder);
  await rm(join(folder, 'text.db'));
  const wanted = await answersOf(folder);
  for (const [question, answer] of wanted) {
    if (!isDeepStrictEqual(found.get(question), answer))
      throw new FaultError(`An index that was killed answers "${question}" otherwise.`, tally.figures);
  }
  if ([...wanted.values()].every(({ records }) => records.length === 0))
    throw new FaultError('Nothing was found.', tally.figures);
  await expectVerified(folder);
  tally.add('questions', wanted.size);
  return { result: 'passed', figures: tally.figures };
}

/** What a server answers once its index is whole. */
async function answersOf(folder: string): Promise<Map<string, FindAnswer>> {
  const server = await startServer(folder);
  await until('A whole index', async () => (await ask(server, 'a')).behind === 0);
  const answers = new Map<string, FindAnswer>();
  for (const question of questions) answers.set(question, await ask(server, question));
  await server.stop();
  return answers;
}

async function ask(server: FaultServer, question: string): Promise<FindAnswer> {
  const { status, text } = await send(server, 'GET', `/app/find?q=${encodeURIComponent(question)}`);
  const answer = parseAs(FindAnswer, text);
  if (status === 200 && answer) return answer;
  throw new FaultError(`The finder answered ${status}: ${text.slice(0, 200)}`);
}
