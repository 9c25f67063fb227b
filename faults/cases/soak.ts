import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Backup, BackupRestored } from '../../core/app/backups.ts';
import { parseAs } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { formatDifferences, expectAgreement, countReadable, expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { Importer } from '../load/importer.ts';
import { readMemoryBytes, canReadProcessState } from '../load/process-state.ts';
import { startSoakLoad } from '../load/soak-load.ts';
import { Timings } from '../load/timings.ts';
import { findPrefixProblem, type Span } from '../prefix.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';

const minutes = { full: 30, short: 2 } as const;

/** Stops divide the run into parts of equal length. A last part follows the last stop. */
const stops = 10;

/** Parts that end with SIGTERM. All others end with SIGKILL. */
const stoppedParts = [4, 9];

/** In the middle of this part the clock is set back. At its end, a backup of its first third is restored. */
const restorePart = 5;

/** The part in which the clock is set forward. */
const forwardPart = 8;

const hour = 3_600_000;
const shifts = { back: -hour, forward: 72 * hour } as const;

/** Half an hour of ordinary work with all events of years. */
export const soak: FaultCase = {
  name: 'soak',
  claim:
    'During 30 minutes of writes, searches and imports, with eight kill -9 and two SIGTERM under load, the clock set back one hour and then forward three days, and a backup restored in the middle, no acknowledged write is lost except those that the restore replaced, which are in the file that it names. `verify` finds no damage.',
  ownSection: true,
  parallel: true,
  long: true,
  timed: true,
  run,
};

/** The records of the clients. A restore replaces the ledger. */
interface ClientState {
  readonly ledger: Ledger;
  readonly importer: Importer;
}

async function run(context: FaultContext): Promise<FaultResult> {
  const { runLength, folder, seed, tally, say } = context;
  const [data, copy, shiftFile] = ['data', 'copy', 'shift'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const partMs = ((context.minutes ?? minutes[runLength]) * 60_000) / (stops + 1);
  const random = new Random(seed, 0, 43);
  const times = new Timings();
  await mkdir(data, { mode: 0o700 });
  const setClock = (shift: number) => writeFile(shiftFile, String(shift));
  await setClock(0);
  let clientState = createClientState();
  let [maxBytes, slowestStartMs] = [0, 0];
  for (let part = 0; part <= stops; part += 1) {
    const startTime = performance.now();
    const server = await startShifted(data, shiftFile);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - startTime);
    const load = startSoakLoad({ server, ...clientState, tally, times, seed, stream: part });
    let backup: { readonly name: string; readonly span: Span } | undefined;
    await setTimeout(partMs / 3);
    if (part === restorePart) backup = await backUp(server, clientState.ledger);
    await setTimeout(partMs / 3);
    if (part === restorePart) await setClock(shifts.back);
    if (part === forwardPart) await setClock(shifts.forward);
    await setTimeout(partMs / 3 + random.integerBetween(0, 50));
    if (canReadProcessState) maxBytes = Math.max(maxBytes, readMemoryBytes(server.pid));
    if (backup) {
      await load.stop();
      await clientState.importer.readBack(server);
      clientState = await restore({ server, data, copy, ...backup, clientState, context });
      tally.add('kill -9', 1);
    } else {
      await endPart(server, part, load, context);
      await copyStore(data, copy);
      clientState.importer.readFrom(readStore(copy).versions);
      tally.add('unanswered writes', clientState.ledger.open.size);
      tally.add('of these stored', await expectAgreement(copy, clientState.ledger));
    }
    say(`part ${part + 1} of ${stops + 1}: ${clientState.ledger.acknowledged.size} versions`);
  }
  await expectVerified(data);
  const lastServer = await startShifted(data, shiftFile);
  tally.add('versions read back at the end', await countReadable(lastServer, clientState.ledger));
  await lastServer.stop();
  if (clientState.ledger.failures > 0) throw new FaultError('A write was answered 5xx', tally.figures);
  tally.add('acknowledged versions', clientState.ledger.acknowledged.size);
  tally.add('versions at the end', clientState.ledger.acknowledged.size);
  tally.add('backups at the end', (await readdir(join(data, 'backups'))).length);
  tally.add('median of reads and searches, ms', times.quantile(0.5));
  tally.add('99th percentile of reads and searches, ms', times.quantile(0.99));
  tally.add('longest start, ms', Math.round(slowestStartMs));
  if (canReadProcessState) tally.add('MiB of memory, at most', Math.round(maxBytes / 1024 ** 2));
  return { result: 'passed', figures: tally.figures };
}

function createClientState(): ClientState {
  const ledger = new Ledger();
  return { ledger, importer: new Importer(ledger) };
}

/** Starts a server whose clock is shifted by the milliseconds in a file (faults/load/shifted-clock.ts). */
function startShifted(data: string, shiftFile: string): Promise<FaultServer> {
  const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
  return startServer(data, { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: shiftFile } });
}

/** Ends a server under load. After the last part, the load stops first. */
async function endPart(
  server: FaultServer,
  part: number,
  load: { stop(): Promise<void> },
  { tally }: FaultContext,
): Promise<void> {
  const isStop = part === stops || stoppedParts.includes(part);
  if (part === stops) await load.stop();
  else tally.add(isStop ? 'SIGTERM' : 'kill -9', 1);
  await (isStop ? server.stop() : server.kill());
  await load.stop();
  const code = await server.exitCode;
  if (isStop && code !== 0) throw new FaultError(`A stop ended with code ${code}: ${server.stderr()}`);
}

async function backUp(server: FaultServer, ledger: Ledger): Promise<{ name: string; span: Span }> {
  const from = ledger.nextTick();
  const response = await send(server, 'POST', '/app/backups', '{}');
  const backup = parseAs(Backup, response.text);
  if (response.status !== 201 || !backup)
    throw new FaultError(`A backup was answered ${response.status}: ${response.text}`);
  return { name: backup.name, span: { from, to: ledger.nextTick() } };
}

interface RestoreOptions {
  readonly server: FaultServer;
  readonly data: string;
  readonly copy: string;
  readonly name: string;
  readonly span: Span;
  readonly clientState: ClientState;
  readonly context: FaultContext;
}

/**
 * Restores a backup while nobody writes, and kills the server at once. The store must then equal the backup,
 * and the file that the response names must contain the replaced versions. Returns the new state of the
 * clients.
 */
async function restore({
  server,
  data,
  copy,
  name,
  span,
  clientState,
  context,
}: RestoreOptions): Promise<ClientState> {
  const { tally } = context;
  const { ledger } = clientState;
  const restoreTime = ledger.nextTick();
  const response = await send(server, 'POST', `/app/backups/${name}/restore`, '{}');
  const restoreResult = parseAs(BackupRestored, response.text);
  if (response.status !== 200 || !restoreResult)
    throw new FaultError(`A restore was answered ${response.status}: ${response.text}`);
  await server.kill();

  await copyStore(data, copy);
  await expectVerified(copy);
  const { versions, inconsistencies } = readStore(copy);
  if (inconsistencies.length > 0) throw new FaultError(inconsistencies.slice(0, 5).join('; '));
  const problem = findPrefixProblem(ledger, versions, span, restoreTime);
  if (problem !== undefined) throw new FaultError(problem);

  const keys = new Set(versions.map(({ key }) => key));
  const replacedKeys = [...ledger.acknowledged.keys()].filter((key) => !keys.has(key));
  if (replacedKeys.length === 0) throw new FaultError('The restore had nothing to replace');
  tally.add('versions replaced by the restore', replacedKeys.length);
  const replacedFolder = `${copy}-before`;
  await mkdir(replacedFolder, { mode: 0o700 });
  await copyFile(join(data, 'backups', restoreResult.before.name), join(replacedFolder, 'records.db'));
  const differences = formatDifferences(ledger.compare(readStore(replacedFolder).versions));
  if (differences.length > 0) throw new FaultError(`Of what the restore replaced, ${differences.join('; ')}`);

  tally.add('acknowledged versions', ledger.acknowledged.size - versions.length);
  const restoredState = createClientState();
  restoredState.ledger.adopt(versions);
  return restoredState;
}
