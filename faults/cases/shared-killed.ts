import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { importTypes, readReportLine } from '../../core/app/transfer.ts';
import { Random } from '../../server/demo/random.ts';
import { postgresPrograms, startCluster, stopCluster } from '../../server/testing/postgres.ts';
import { runBulkThroughKills } from '../bulk-run.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import type { FaultServer } from '../server.ts';
import {
  durableSettings,
  expectSharedAgreement,
  expectIntactAuditLog,
  expectStatuses,
  createSharedStore,
  noPostgres,
  readSharedStore,
  ServerPair,
  unconfirmedStatuses,
} from '../shared-store.ts';
import { startWriters } from '../writer.ts';

/** Kills for each kind of work. */
const kills = { full: 10, short: 1 } as const;

/** Records of an import. */
const lineCount = 400;

/**
 * One of two servers over a shared store is killed during the work of a client, which continues at the other.
 */
export const sharedKilled: FaultCase = {
  name: 'shared-killed',
  claim:
    'If one of two servers over a shared store is killed (kill -9) during a bulk run, its undo, an import or many single writes, the client continues at the other and ends correctly. No acknowledged change is lost, none is made twice, and the audit log has each.',
  long: true,
  shared: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  if (postgresPrograms() === undefined) return noPostgres;
  const { runLength, folder, tally, say } = context;
  const cluster = join(folder, 'postgres');
  const port = await startCluster(cluster, { settings: durableSettings });
  try {
    await createSharedStore(port);
    const pair = await ServerPair.begin(folder, port);
    let hasStarted = false;
    await runBulkThroughKills(context, kills[runLength], async () => {
      if (hasStarted) return pair.switchServer();
      hasStarted = true;
      return pair.active;
    });
    await importThroughKills(pair, context);
    say('the imports have ended');
    const ledger = new Ledger();
    // Earlier writes are not writes of these clients.
    ledger.compare((await readSharedStore(port)).versions);
    const countBefore = ledger.acknowledged.size;
    await writeThroughKills(pair, ledger, context);
    tally.add('acknowledged single writes', ledger.acknowledged.size - countBefore);
    await expectIntactAuditLog(pair.active);
    await pair.stop();
    await expectSharedAgreement(port, ledger);
    return { result: 'passed', figures: tally.figures };
  } finally {
    stopCluster(cluster);
  }
}

const createPlan = (id: string) =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan","title":"Imported","subject":{"reference":"Patient/p"}}`;

/** Sends an import, kills its server in the middle, and sends it again to the other server. */
async function importThroughKills(pair: ServerPair, { runLength, seed, tally }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 20);
  for (let kill = 0; kill < kills[runLength]; kill += 1) {
    const ids = Array.from({ length: lineCount }, (_, line) => `import-${kill}-${line}`);
    const firstImport = await importUntilKilled(pair.active, ids, random.integerBetween(1, lineCount - 50));
    if (firstImport.ended) throw new FaultError('An import ended before its server was killed.');
    const secondImport = await importUntilKilled(await pair.switchServer(), ids);
    if (!secondImport.ended) throw new FaultError('An import did not end.');
    const wrongIds = ids.filter((_, index) => {
      const result = secondImport.results.get(index + 1);
      return firstImport.results.get(index + 1) === 'stored' ? result !== 'unchanged' : !isStored(result);
    });
    if (wrongIds.length > 0)
      throw new FaultError(`${wrongIds.length} records of an import are not there once.`);
    tally.add('kills in an import', 1);
    tally.add('records that were there when it was sent again', count(secondImport.results, 'unchanged'));
  }
}

function isStored(result: string | undefined): boolean {
  return result === 'stored' || result === 'unchanged';
}

function count(results: ReadonlyMap<number, string>, result: string): number {
  return [...results.values()].filter((lineResult) => lineResult === result).length;
}

/** Imports records, and kills the server after a number of report lines. Returns the result of each line. */
async function importUntilKilled(
  server: FaultServer,
  ids: readonly string[],
  killAt = Infinity,
): Promise<{ readonly ended: boolean; readonly results: ReadonlyMap<number, string> }> {
  const results = new Map<number, string>();
  let hasEnded = false;
  const response = await fetch(`http://127.0.0.1:${server.port}/app/import?keepIds=true&dryRun=false`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': importTypes.lines[0] },
    body: ids.map(createPlan).join('\n'),
  });
  if (response.status !== 200 || !response.body)
    throw new FaultError(`An import was answered ${response.status}`);
  const input = Readable.from(response.body);
  const lineReader = createInterface({ input });
  input.once('error', () => lineReader.close());
  lineReader.on('line', (line) => {
    const report = readReportLine(line);
    if (report && 'done' in report) hasEnded = true;
    else if (report?.place !== undefined) results.set(report.place, report.result);
    if (results.size === killAt) void server.kill();
  });
  await once(lineReader, 'close').catch((error: unknown) => {
    // The server was killed.
    if (results.size < killAt) throw error;
  });
  return { ended: hasEnded, results };
}

/** Clients write one record after another, and switch to the other server when theirs is gone. */
async function writeThroughKills(
  pair: ServerPair,
  ledger: Ledger,
  { runLength, seed, tally }: FaultContext,
): Promise<void> {
  const random = new Random(seed, 0, 21);
  const server = {
    get port() {
      return pair.active.port;
    },
    get token() {
      return pair.active.token;
    },
  };
  const writers = startWriters({ server, ledger, seed, stream: 0, isPersistent: true, unconfirmedStatuses });
  for (let kill = 0; kill < kills[runLength]; kill += 1) {
    await ledger.waitFor(ledger.acknowledged.size + random.integerBetween(50, 200));
    await pair.active.kill();
    await pair.switchServer();
    tally.add('kills among single writes', 1);
  }
  await ledger.waitFor(ledger.acknowledged.size + 50);
  await writers.stop();
  tally.add('single writes without an answer', ledger.open.size);
  expectStatuses(ledger, [200, 201, 400, 412, ...unconfirmedStatuses]);
}
