import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import type { Attempt } from '../load/rival.ts';
import { findContradictions, runRivals } from '../load/rivals.ts';
import { createSampleRecord } from '../load/sample.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { readStore } from '../store-copy.ts';

const writers = 4;
/** Writes of each process. */
const writes = { full: 2500, short: 250 } as const;
/** Records that all processes write. */
const sharedRecords = 3;

/** Optimistic locking by four processes at once. */
export const loadFourWriters: FaultCase = {
  name: 'load-four-writers',
  claim:
    'If four processes write to shared and to private records with If-Match, no acknowledged write is lost, each version is made once, and each 412 is right.',
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally }: FaultContext): Promise<FaultResult> {
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const sharedPaths = await Promise.all(Array.from({ length: sharedRecords }, () => create(server, seed)));
  const privatePaths = await Promise.all(Array.from({ length: writers }, () => create(server, seed)));
  const { port, token } = server;
  const attempts = await runRivals(
    privatePaths.map((path, rival) => ({
      port,
      token,
      rival,
      seed,
      writes: writes[runLength],
      paths: [...sharedPaths, path],
    })),
  );
  const storedAttempts = attempts.filter(({ status }) => status === 200);
  tally.add('writes', attempts.length);
  tally.add('acknowledged', storedAttempts.length);
  tally.add('answered 412', attempts.filter(({ status }) => status === 412).length);
  const contradictions = [...sharedPaths, ...privatePaths].flatMap((path) =>
    findContradictions(
      path,
      attempts.filter((attempt) => attempt.path === path),
    ),
  );
  for (const path of [...sharedPaths, ...privatePaths]) await expectLast(server, path, storedAttempts);
  await server.stop();
  const { versions, inconsistencies } = readStore(data);
  const texts = new Map(versions.map(({ key, text }) => [key, text]));
  const lostAttempts = storedAttempts.filter(
    ({ path, version, text }) => texts.get(`${path}/_history/${version}`) !== text,
  );
  tally.add('lost', lostAttempts.length);
  tally.add(
    'stored and acknowledged to nobody',
    versions.length - storedAttempts.length - sharedPaths.length - privatePaths.length,
  );
  await expectVerified(data);
  const problems = [...contradictions, ...inconsistencies];
  if (problems.length > 0) throw new FaultError(problems.slice(0, 5).join('; '));
  if (lostAttempts.length > 0)
    throw new FaultError('Acknowledged versions are not there as they were answered');
  if (versions.length !== storedAttempts.length + sharedPaths.length + privatePaths.length)
    throw new FaultError('The store holds other versions than those that were acknowledged');
  return { result: 'passed', figures: tally.figures };
}

/** Creates a record and returns its address, such as `CarePlan/0b1c...`. */
async function create(server: FaultServer, seed: number): Promise<string> {
  const { type, text } = createSampleRecord(seed);
  const response = await send(server, 'POST', `${fhirPath}/${type}`, text);
  return `${type}/${(JSON.parse(response.text) as { id: string }).id}`;
}

async function expectLast(
  server: FaultServer,
  path: string,
  storedAttempts: readonly Attempt[],
): Promise<void> {
  const [latest] = storedAttempts
    .filter((attempt) => attempt.path === path)
    .sort((left, right) => right.version - left.version);
  const { text } = await send(server, 'GET', `${fhirPath}/${path}`);
  if (latest && text !== latest.text)
    throw new FaultError(`${path} is not answered as it was last acknowledged`);
}
