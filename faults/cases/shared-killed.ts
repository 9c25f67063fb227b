import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { importTypes, readReportLine } from '../../core/app/transfer.ts';
import { Random } from '../../server/demo/random.ts';
import { postgresPrograms, startCluster, stopCluster } from '../../server/testing/postgres.ts';
import { bulkThroughKills } from '../bulk-run.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import type { FaultServer } from '../server.ts';
import {
  careful,
  expectSharedAgreement,
  expectSoundTrail,
  expectStatuses,
  makeStore,
  noPostgres,
  readSharedStore,
  ServerPair,
  unsure,
} from '../shared-store.ts';
import { startWriters } from '../writer.ts';

/** Of each kind of work. */
const kills = { full: 10, short: 1 } as const;

/** Records of an import. */
const lines = 400;

/** One of two servers over a shared store is killed in the middle of a client's work, which goes on at the other. */
export const sharedKilled: FaultCase = {
  name: 'shared-killed',
  claim:
    'Where one of two servers over a shared store is killed (kill -9) in the middle of a bulk run, its undo, an import or many single writes, the client goes on at the other and ends right: no acknowledged change is lost, none is made twice, and the trail has each.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { extent, folder, tally, say } = context;
  const cluster = join(folder, 'postgres');
  const port = await startCluster(cluster, { settings: careful });
  try {
    await makeStore(port);
    const pair = await ServerPair.begin(folder, port);
    let begun = false;
    await bulkThroughKills(context, kills[extent], async () => {
      if (begun) return pair.turn();
      begun = true;
      return pair.live;
    });
    await importThroughKills(pair, context);
    say('the imports have ended');
    const ledger = new Ledger();
    // What was written before is no write of these clients.
    ledger.compare((await readSharedStore(port)).held);
    const before = ledger.acknowledged.size;
    await writeThroughKills(pair, ledger, context);
    tally.add('acknowledged single writes', ledger.acknowledged.size - before);
    await expectSoundTrail(pair.live);
    await pair.stop();
    await expectSharedAgreement(port, ledger);
    return { result: 'passed', figures: tally.figures };
  } finally {
    stopCluster(cluster);
  }
}

const plan = (id: string) =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan","title":"Imported","subject":{"reference":"Patient/p"}}`;

/** Sends an import, kills its server in the middle, and sends it again to the other. */
async function importThroughKills(pair: ServerPair, { extent, seed, tally }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 20);
  for (let kill = 0; kill < kills[extent]; kill += 1) {
    const ids = Array.from({ length: lines }, (_, line) => `import-${kill}-${line}`);
    const first = await imported(pair.live, ids, random.between(1, lines - 50));
    if (first.ended) throw new FaultError('An import ended before its server was killed.');
    const second = await imported(await pair.turn(), ids);
    if (!second.ended) throw new FaultError('An import did not end.');
    const strange = ids.filter((_, at) => {
      const told = second.results.get(at + 1);
      return first.results.get(at + 1) === 'stored' ? told !== 'unchanged' : !isThere(told);
    });
    if (strange.length > 0)
      throw new FaultError(`${strange.length} records of an import are not there once.`);
    tally.add('kills in an import', 1);
    tally.add('records that were there when it was sent again', count(second.results, 'unchanged'));
  }
}

function isThere(result: string | undefined): boolean {
  return result === 'stored' || result === 'unchanged';
}

function count(results: ReadonlyMap<number, string>, result: string): number {
  return [...results.values()].filter((one) => one === result).length;
}

/** Imports records, and kills the server once so many are answered for; what each line's answer was. */
async function imported(
  server: FaultServer,
  ids: readonly string[],
  killAt = Infinity,
): Promise<{ readonly ended: boolean; readonly results: ReadonlyMap<number, string> }> {
  const results = new Map<number, string>();
  let ended = false;
  const answer = await fetch(`http://127.0.0.1:${server.port}/app/import?keepIds=true&dryRun=false`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': importTypes.lines[0] },
    body: ids.map(plan).join('\n'),
  });
  if (answer.status !== 200 || !answer.body) throw new FaultError(`An import was answered ${answer.status}`);
  const input = Readable.from(answer.body);
  const read = createInterface({ input });
  input.once('error', () => read.close());
  read.on('line', (line) => {
    const told = readReportLine(line);
    if (told && 'done' in told) ended = true;
    else if (told?.place !== undefined) results.set(told.place, told.result);
    if (results.size === killAt) void server.kill();
  });
  await once(read, 'close').catch((error: unknown) => {
    // Its server was killed.
    if (results.size < killAt) throw error;
  });
  return { ended, results };
}

/** Clients write one after the other, and turn to the other server where theirs is gone. */
async function writeThroughKills(
  pair: ServerPair,
  ledger: Ledger,
  { extent, seed, tally }: FaultContext,
): Promise<void> {
  const random = new Random(seed, 0, 21);
  const server = {
    get port() {
      return pair.live.port;
    },
    get token() {
      return pair.live.token;
    },
  };
  const writers = startWriters({ server, ledger, seed, stream: 0, persist: true, unsure });
  for (let kill = 0; kill < kills[extent]; kill += 1) {
    await ledger.reached(ledger.acknowledged.size + random.between(50, 200));
    await pair.live.kill();
    await pair.turn();
    tally.add('kills among single writes', 1);
  }
  await ledger.reached(ledger.acknowledged.size + 50);
  await writers.stop();
  tally.add('single writes without an answer', ledger.open.size);
  expectStatuses(ledger, [200, 201, 400, 412, ...unsure]);
}
