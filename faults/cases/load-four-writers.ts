import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import type { Attempt } from '../load/rival.ts';
import { disagreements, runRivals } from '../load/rivals.ts';
import { sampleRecord } from '../load/sample.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { readStore } from '../store-copy.ts';

const writers = 4;
/** Writes of each. */
const writes = { full: 2500, short: 250 } as const;
/** Records that all write. */
const shared = 3;

/** Optimistic locking, from four processes at once. */
export const loadFourWriters: FaultCase = {
  name: 'load-four-writers',
  claim:
    'Of four processes that write to the same records and to their own with If-Match, no acknowledged write is lost, each version is made once, and each 412 is right.',
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally }: FaultContext): Promise<Finding> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const common = await Promise.all(Array.from({ length: shared }, () => create(server, seed)));
  const own = await Promise.all(Array.from({ length: writers }, () => create(server, seed)));
  const { port, token } = server;
  const attempts = await runRivals(
    own.map((path, rival) => ({
      ...{ port, token, rival, seed, writes: writes[extent] },
      paths: [...common, path],
    })),
  );
  const stored = attempts.filter(({ status }) => status === 200);
  tally.add('writes', attempts.length);
  tally.add('acknowledged', stored.length);
  tally.add('answered 412', attempts.filter(({ status }) => status === 412).length);
  const found = [...common, ...own].flatMap((path) =>
    disagreements(
      path,
      attempts.filter((attempt) => attempt.path === path),
    ),
  );
  for (const path of [...common, ...own]) await expectLast(server, path, stored);
  await server.stop();
  const { held, disagreements: torn } = readStore(data);
  const texts = new Map(held.map(({ key, text }) => [key, text]));
  const lost = stored.filter(({ path, version, text }) => texts.get(`${path}/_history/${version}`) !== text);
  tally.add('lost', lost.length);
  tally.add('stored and acknowledged to nobody', held.length - stored.length - common.length - own.length);
  await expectVerified(data);
  const wrong = [...found, ...torn];
  if (wrong.length > 0) throw new FaultError(wrong.slice(0, 5).join('; '));
  if (lost.length > 0) throw new FaultError('Acknowledged versions are not there as they were answered');
  if (held.length !== stored.length + common.length + own.length)
    throw new FaultError('The store holds other versions than those that were acknowledged');
  return { result: 'passed', figures: tally.figures };
}

/** The address of a new record, such as `CarePlan/0b1c...`. */
async function create(server: FaultServer, seed: number): Promise<string> {
  const { type, text } = sampleRecord(seed);
  const made = await send(server, 'POST', `${fhirPath}/${type}`, text);
  return `${type}/${(JSON.parse(made.text) as { id: string }).id}`;
}

async function expectLast(server: FaultServer, path: string, stored: readonly Attempt[]): Promise<void> {
  const [last] = stored.filter((one) => one.path === path).sort((one, other) => other.version - one.version);
  const { text } = await send(server, 'GET', `${fhirPath}/${path}`);
  if (last && text !== last.text) throw new FaultError(`${path} is not answered as it was last acknowledged`);
}
