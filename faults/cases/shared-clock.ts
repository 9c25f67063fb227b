import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fhirPath } from '../../core/api/contract.ts';
import { postgresPrograms, startCluster, stopCluster } from '../../server/testing/postgres.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { gaps, pagesOf } from '../load/walk.ts';
import { send, type FaultServer } from '../server.ts';
import {
  asAdmin,
  careful,
  createMarked,
  expectSharedAgreement,
  expectSoundTrail,
  makeStore,
  noPostgres,
  serve,
} from '../shared-store.ts';
import { until } from '../wait.ts';
import { startWriters } from '../writer.ts';

const hour = 3_600_000;

/** How far off the clock of one of two servers is, in each round. */
const shifts = [-hour, hour, -13 * hour, 13 * hour];

/** Writes of a round. */
const writes = { full: 400, short: 60 } as const;

/** Milliseconds that two looks at one right clock may lie apart on a busy machine. */
const near = 60_000;

/** The clock of one of two servers over a shared store is wrong. */
export const sharedClock: FaultCase = {
  name: 'shared-clock',
  claim:
    'However wrong the clock of one of two servers over a shared store is, all that they store bears the time of the database: lastUpdated grows within each record, a search by _lastUpdated and a history by _since meet what was written behind their time, once, at both servers; tokens and sessions of one end at the other when they are to, and no lease is held longer, or taken earlier.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { folder, tally, say } = context;
  const begun = Date.now();
  const cluster = join(folder, 'postgres');
  const port = await startCluster(cluster, { settings: careful });
  try {
    await makeStore(port);
    const clock = join(folder, 'shift');
    await writeFile(clock, '0');
    const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
    const options = { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: clock } };
    const right = await serve(join(folder, 'right'), [port]);
    let wrong = await serve(join(folder, 'wrong'), [port], options);
    const ledger = new Ledger();
    for (const [round, shift] of shifts.entries()) {
      await writeFile(clock, String(shift));
      // Set while it runs, and before it starts.
      if (round % 2 === 1) {
        await wrong.stop();
        wrong = await serve(join(folder, 'wrong'), [port], options);
      }
      await passWrites([right, wrong], ledger, round, context);
      for (const [one, other] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        await expectToken(one, other);
        await expectSession(one, other);
      }
      await expectLeases(port);
      tally.add('settings of the clock', 1);
      say(`${shift / 1000} s off`);
    }
    for (const server of [right, wrong]) await expectSoundTrail(server);
    await expectTakenOver(right, wrong);
    await right.stop();
    await expectTimes(port, begun);
    tally.add('versions', await expectSharedAgreement(port, ledger));
    return { result: 'passed', figures: tally.figures };
  } finally {
    stopCluster(cluster);
  }
}

/** Clients write at both servers; whoever asks at either for what is newer than before finds it, page by page, once. */
async function passWrites(
  servers: readonly FaultServer[],
  ledger: Ledger,
  round: number,
  { extent, seed }: FaultContext,
): Promise<void> {
  const since = await instantAt(servers, ledger, round);
  const known = new Set(ledger.acknowledged.keys());
  const target = known.size + writes[extent];
  const enough = () => ledger.acknowledged.size >= target;
  const writing = servers.map((server, at) =>
    startWriters({ server, ledger, seed, stream: 2 * round + at, clients: 3, enough }),
  );
  for (const { ended } of writing) await ended;
  const written = [...ledger.acknowledged.keys()].filter((key) => !known.has(key));
  for (const type of ['CarePlan', 'Composition']) {
    const ofType = written.filter((key) => key.startsWith(`${type}/`));
    const records = new Set(ofType.map(recordOf));
    for (const server of servers) {
      const versions = await walk(server, `${fhirPath}/${type}/_history?_since=${since}&_count=50`);
      const found = await walk(
        server,
        `${fhirPath}/${type}?_lastUpdated=ge${since}&_sort=_lastUpdated&_count=7`,
      );
      const faults = [
        ...gaps(`The history of ${type} since ${since}`, versions, new Set(ofType)),
        ...gaps(`${type} since ${since}`, found.map(recordOf), records),
      ];
      if (faults.length > 0) throw new FaultError(faults.join('; '));
    }
  }
}

const recordOf = (version: string) => version.slice(0, version.indexOf('/_history/'));

async function walk(server: FaultServer, path: string): Promise<string[]> {
  const met: string[] = [];
  for await (const page of pagesOf(server, path)) met.push(...page);
  return met;
}

/** The time of what was written last, at one and at the other in turn, as a client reads it. */
async function instantAt(servers: readonly FaultServer[], ledger: Ledger, round: number): Promise<string> {
  const server = servers[round % servers.length];
  if (!server) throw new Error('There is no server.');
  const { text } = await createMarked(server, ledger);
  const { meta } = JSON.parse(text) as { meta: { lastUpdated: string } };
  return encodeURIComponent(meta.lastUpdated);
}

/** A token of one ends at both when it is to. */
async function expectToken(one: FaultServer, other: FaultServer): Promise<void> {
  const minted = async (expiresIn: number) => {
    const body = JSON.stringify({ name: 'clock', scopes: ['system/*.rs'], expiresIn });
    const { status, text } = await send(one, 'POST', '/app/tokens', body);
    if (status !== 201) throw new FaultError(`A new token was answered ${status}`);
    return (JSON.parse(text) as { token: string }).token;
  };
  const statuses = async (token: string) => [
    await statusOf({ ...one, token }),
    await statusOf({ ...other, token }),
  ];
  const half = await statuses(await minted(hour / 2000));
  if (half.some((status) => status !== 200))
    throw new FaultError(`A token that holds for half an hour was answered ${half.join(' and ')}`);
  const short = await minted(1);
  await until('The end of a token that holds for a second', async () =>
    (await statuses(short)).every((status) => status === 401),
  );
}

/** A code of one begins a session at the other, which holds at both. */
async function expectSession(one: FaultServer, other: FaultServer): Promise<void> {
  const { text } = await send(one, 'POST', '/app/sign-in-codes', '{}');
  const { code } = JSON.parse(text) as { code: string };
  const signedIn = await send({ ...other, token: '' }, 'POST', '/app/sign-in', JSON.stringify({ code }));
  if (signedIn.status !== 200)
    throw new FaultError(`A code of the other server was answered ${signedIn.status}`);
  const { token } = JSON.parse(signedIn.text) as { token: string };
  for (const server of [one, other]) {
    const status = await statusOf({ ...server, token });
    if (status !== 200) throw new FaultError(`A session of a moment ago was answered ${status}`);
  }
}

async function statusOf(server: Pick<FaultServer, 'port' | 'token'>): Promise<number> {
  return (await send(server, 'GET', `${fhirPath}/Composition?_count=1`)).status;
}

/** No lease ends later than two minutes from now, by the clock of the database. */
async function expectLeases(port: number): Promise<void> {
  const text = "SELECT name FROM chartkeeper.lease WHERE until > clock_timestamp() + interval '2 minutes'";
  const { rows } = await asAdmin(port, (admin) => admin.query<{ name: string }>(text));
  if (rows.length > 0)
    throw new FaultError(`${rows.map(({ name }) => name).join(', ')} is held for too long`);
}

/** What the one with the wrong clock began to judge when it was killed, the other ends. */
async function expectTakenOver(right: FaultServer, wrong: FaultServer): Promise<void> {
  const { status } = await send(wrong, 'POST', '/app/quality/judge');
  if (status !== 202) throw new FaultError(`Judge again was answered ${status}`);
  const asked = Date.now();
  await wrong.kill();
  await until('The end of judging', async () => {
    const { text } = await send(right, 'GET', '/app/overview');
    const { rebuild, judged } = JSON.parse(text) as {
      rebuild: { state: string };
      judged: { at?: string };
    };
    return rebuild.state === 'idle' && Date.parse(judged.at ?? '') >= asked;
  });
}

/** Within a record each version is later than the one before it, and none is of another time than that of this machine. */
async function expectTimes(port: number, begun: number): Promise<void> {
  const texts = {
    'a version that is not later than the one before it':
      'SELECT v.id FROM version v JOIN version w ON w.record = v.record AND w.version = v.version - 1 WHERE v.last_updated <= w.last_updated',
    'a version of another time':
      'SELECT id FROM version WHERE last_updated::timestamptz NOT BETWEEN to_timestamp($1::float8 / 1000) AND to_timestamp($2::float8 / 1000)',
    'an entry of the trail of another time': 'SELECT what AS id FROM audit WHERE time NOT BETWEEN $1 AND $2',
  };
  await asAdmin(port, async (admin) => {
    await admin.query('SET search_path = chartkeeper');
    for (const [what, text] of Object.entries(texts)) {
      const values = text.includes('$1') ? [begun - near, Date.now() + near] : [];
      const { rows } = await admin.query<{ id: string }>(text, values);
      if (rows.length > 0) throw new FaultError(`${rows.length} times ${what}, such as ${rows[0]?.id}`);
    }
  });
}
