import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fhirPath } from '../../core/api/contract.ts';
import { postgresPrograms, startCluster, stopCluster } from '../../server/testing/postgres.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { findGaps, readPages } from '../load/walk.ts';
import { send, type FaultServer } from '../server.ts';
import {
  asAdmin,
  durableSettings,
  createMarked,
  expectSharedAgreement,
  expectIntactAuditLog,
  createSharedStore,
  noPostgres,
  serveShared,
} from '../shared-store.ts';
import { waitUntil } from '../wait.ts';
import { startWriters } from '../writer.ts';

const hour = 3_600_000;

/** Offsets of the clock of one of two servers by round, in milliseconds. */
const shifts = [-hour, hour, -13 * hour, 13 * hour];

/** Writes of a round. */
const writes = { full: 400, short: 60 } as const;

/** Tolerance in milliseconds between two readings of a right clock on a busy machine. */
const toleranceMs = 60_000;

/** The clock of one of two servers over a shared store is wrong. */
export const sharedClock: FaultCase = {
  name: 'shared-clock',
  claim:
    'However wrong the clock of one of two servers over a shared store is, everything stored has the time of the database. lastUpdated increases within each record. A search by _lastUpdated and a history by _since return later writes exactly once, at both servers. Tokens and sessions of one server end on time at the other. No lease lasts too long or is taken over early.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { folder, tally, say } = context;
  const startTime = Date.now();
  const cluster = join(folder, 'postgres');
  const port = await startCluster(cluster, { settings: durableSettings });
  try {
    await createSharedStore(port);
    const shiftFile = join(folder, 'shift');
    await writeFile(shiftFile, '0');
    const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
    const options = { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: shiftFile } };
    const rightServer = await serveShared(join(folder, 'right'), [port]);
    let wrongServer = await serveShared(join(folder, 'wrong'), [port], options);
    const ledger = new Ledger();
    for (const [round, shift] of shifts.entries()) {
      await writeFile(shiftFile, String(shift));
      // Alternates between a change at run time and one before the start.
      if (round % 2 === 1) {
        await wrongServer.stop();
        wrongServer = await serveShared(join(folder, 'wrong'), [port], options);
      }
      await runWrites([rightServer, wrongServer], ledger, round, context);
      for (const [firstServer, secondServer] of [
        [rightServer, wrongServer],
        [wrongServer, rightServer],
      ] as const) {
        await expectToken(firstServer, secondServer);
        await expectSession(firstServer, secondServer);
      }
      await expectLeases(port);
      tally.add('settings of the clock', 1);
      say(`${shift / 1000} s off`);
    }
    for (const server of [rightServer, wrongServer]) await expectIntactAuditLog(server);
    await expectTakenOver(rightServer, wrongServer);
    await rightServer.stop();
    await expectTimes(port, startTime);
    tally.add('versions', await expectSharedAgreement(port, ledger));
    return { result: 'passed', figures: tally.figures };
  } finally {
    stopCluster(cluster);
  }
}

/**
 * Clients write at both servers. Searches and histories of newer versions must return each write once, at
 * both servers.
 */
async function runWrites(
  servers: readonly FaultServer[],
  ledger: Ledger,
  round: number,
  { runLength, seed }: FaultContext,
): Promise<void> {
  const sinceTime = await writeAndReadTime(servers, ledger, round);
  const knownKeys = new Set(ledger.acknowledged.keys());
  const target = knownKeys.size + writes[runLength];
  const hasEnough = () => ledger.acknowledged.size >= target;
  const writers = servers.map((server, index) =>
    startWriters({ server, ledger, seed, stream: 2 * round + index, clients: 3, hasEnough }),
  );
  for (const { done } of writers) await done;
  const newKeys = [...ledger.acknowledged.keys()].filter((key) => !knownKeys.has(key));
  for (const type of ['CarePlan', 'Composition']) {
    const keysOfType = newKeys.filter((key) => key.startsWith(`${type}/`));
    const records = new Set(keysOfType.map(getRecordAddress));
    for (const server of servers) {
      const versions = await readAllPages(
        server,
        `${fhirPath}/${type}/_history?_since=${sinceTime}&_count=50`,
      );
      const matches = await readAllPages(
        server,
        `${fhirPath}/${type}?_lastUpdated=ge${sinceTime}&_sort=_lastUpdated&_count=7`,
      );
      const problems = [
        ...findGaps(`The history of ${type} since ${sinceTime}`, versions, new Set(keysOfType)),
        ...findGaps(`${type} since ${sinceTime}`, matches.map(getRecordAddress), records),
      ];
      if (problems.length > 0) throw new FaultError(problems.join('; '));
    }
  }
}

const getRecordAddress = (version: string) => version.slice(0, version.indexOf('/_history/'));

async function readAllPages(server: FaultServer, path: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of readPages(server, path)) keys.push(...page);
  return keys;
}

/** Returns the time of a new write at one of the servers in turn, as a client reads it. */
async function writeAndReadTime(
  servers: readonly FaultServer[],
  ledger: Ledger,
  round: number,
): Promise<string> {
  const server = servers[round % servers.length];
  if (!server) throw new Error('There is no server.');
  const { text } = await createMarked(server, ledger);
  const { meta } = JSON.parse(text) as { meta: { lastUpdated: string } };
  return encodeURIComponent(meta.lastUpdated);
}

/** Asserts that a token of one server ends on time at both. */
async function expectToken(issuer: FaultServer, otherServer: FaultServer): Promise<void> {
  const createToken = async (expiresIn: number) => {
    const body = JSON.stringify({ name: 'clock', scopes: ['system/*.rs'], expiresIn });
    const { status, text } = await send(issuer, 'POST', '/app/tokens', body);
    if (status !== 201) throw new FaultError(`A new token was answered ${status}`);
    return (JSON.parse(text) as { token: string }).token;
  };
  const statuses = async (token: string) => [
    await fetchStatus({ ...issuer, token }),
    await fetchStatus({ ...otherServer, token }),
  ];
  const currentStatuses = await statuses(await createToken(hour / 2000));
  if (currentStatuses.some((status) => status !== 200))
    throw new FaultError(`A token that holds for half an hour was answered ${currentStatuses.join(' and ')}`);
  const shortToken = await createToken(1);
  await waitUntil('The end of a token that holds for a second', async () =>
    (await statuses(shortToken)).every((status) => status === 401),
  );
}

/** Asserts that a code of one server starts a session at the other, and that the session is valid at both. */
async function expectSession(issuer: FaultServer, otherServer: FaultServer): Promise<void> {
  const { text } = await send(issuer, 'POST', '/app/sign-in-codes', '{}');
  const { code } = JSON.parse(text) as { code: string };
  const signInResponse = await send(
    { ...otherServer, token: '' },
    'POST',
    '/app/sign-in',
    JSON.stringify({ code }),
  );
  if (signInResponse.status !== 200)
    throw new FaultError(`A code of the other server was answered ${signInResponse.status}`);
  const { token } = JSON.parse(signInResponse.text) as { token: string };
  for (const server of [issuer, otherServer]) {
    const status = await fetchStatus({ ...server, token });
    if (status !== 200) throw new FaultError(`A session of a moment ago was answered ${status}`);
  }
}

async function fetchStatus(server: Pick<FaultServer, 'port' | 'token'>): Promise<number> {
  return (await send(server, 'GET', `${fhirPath}/Composition?_count=1`)).status;
}

/** Asserts that no lease ends later than two minutes from now, by the clock of the database. */
async function expectLeases(port: number): Promise<void> {
  const text = "SELECT name FROM chartkeeper.lease WHERE until > clock_timestamp() + interval '2 minutes'";
  const { rows } = await asAdmin(port, (admin) => admin.query<{ name: string }>(text));
  if (rows.length > 0)
    throw new FaultError(`${rows.map(({ name }) => name).join(', ')} is held for too long`);
}

/** Asserts that the other server completes a validation whose server, with the wrong clock, was killed. */
async function expectTakenOver(rightServer: FaultServer, wrongServer: FaultServer): Promise<void> {
  const { status } = await send(wrongServer, 'POST', '/app/quality/judge');
  if (status !== 202) throw new FaultError(`Check again was answered ${status}`);
  const requestedAt = Date.now();
  await wrongServer.kill();
  await waitUntil('The end of judging', async () => {
    const { text } = await send(rightServer, 'GET', '/app/overview');
    const { rebuild, judged: validation } = JSON.parse(text) as {
      rebuild: { state: string };
      judged: { at?: string };
    };
    return rebuild.state === 'idle' && Date.parse(validation.at ?? '') >= requestedAt;
  });
}

/**
 * Asserts that each version of a record is later than the previous one, and that all times match this
 * machine.
 */
async function expectTimes(port: number, startTime: number): Promise<void> {
  const queries = {
    'a version that is not later than the one before it':
      'SELECT v.id FROM version v JOIN version w ON w.record = v.record AND w.version = v.version - 1 WHERE v.last_updated <= w.last_updated',
    'a version of another time':
      'SELECT id FROM version WHERE last_updated::timestamptz NOT BETWEEN to_timestamp($1::float8 / 1000) AND to_timestamp($2::float8 / 1000)',
    'an entry of the trail of another time': 'SELECT what AS id FROM audit WHERE time NOT BETWEEN $1 AND $2',
  };
  await asAdmin(port, async (admin) => {
    await admin.query('SET search_path = chartkeeper');
    for (const [description, query] of Object.entries(queries)) {
      const values = query.includes('$1') ? [startTime - toleranceMs, Date.now() + toleranceMs] : [];
      const { rows } = await admin.query<{ id: string }>(query, values);
      if (rows.length > 0)
        throw new FaultError(`${rows.length} times ${description}, such as ${rows[0]?.id}`);
    }
  });
}
