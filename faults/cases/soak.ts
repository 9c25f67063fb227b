import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Backup, BackupRestored } from '../../core/app/backups.ts';
import { parseAs } from '../../core/json/shape.ts';
import { Random } from '../../server/demo/random.ts';
import { differencesIn, expectAgreement, expectAnswers, expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { Ledger } from '../ledger.ts';
import { Importer } from '../load/importer.ts';
import { memoryOf, tellsState } from '../load/process-state.ts';
import { startSoakLoad } from '../load/soak-load.ts';
import { Timings } from '../load/timings.ts';
import { prefixFault, type Span } from '../prefix.ts';
import { send, startServer, type FaultServer } from '../server.ts';
import { copyStore, readStore } from '../store-copy.ts';

const minutes = { full: 30, short: 2 } as const;

/** Between two stops lies one part of the time; behind the last stop lies another. */
const stops = 10;

/** Parts that end with SIGTERM; all others end with SIGKILL. */
const politeParts = [4, 9];

/** The part at whose end the backup of its beginning is put back, and the clock is set back between the two. */
const restorePart = 5;

/** The part in which the clock is set forward. */
const forwardPart = 8;

const hour = 3_600_000;
const shifts = { back: -hour, forward: 72 * hour } as const;

/** Half an hour of ordinary work in which everything happens that happens in years. */
export const soak: FaultCase = {
  name: 'soak',
  claim:
    'Through 30 minutes of writes, searches and imports, with eight kill -9 and two SIGTERM under load, the clock set one hour back and then three days forward, and a backup restored in the middle, no acknowledged write is lost but those that the restore replaced, which lie in the file that it names; `verify` finds no damage.',
  alone: true,
  beside: true,
  long: true,
  timed: true,
  run,
};

/** What a part of the time works with; a restore puts another ledger in its place. */
interface Books {
  readonly ledger: Ledger;
  readonly importer: Importer;
}

async function run(context: FaultContext): Promise<Finding> {
  const { extent, folder, seed, tally, say } = context;
  const [data, copy, clock] = ['data', 'copy', 'shift'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const length = ((context.minutes ?? minutes[extent]) * 60_000) / (stops + 1);
  const random = new Random(seed, 0, 43);
  const times = new Timings();
  await mkdir(data, { mode: 0o700 });
  const setClock = (shift: number) => writeFile(clock, String(shift));
  await setClock(0);
  let books = newBooks();
  let [memory, slowest] = [0, 0];
  for (let part = 0; part <= stops; part += 1) {
    const began = performance.now();
    const server = await startShifted(data, clock);
    slowest = Math.max(slowest, performance.now() - began);
    const load = startSoakLoad({ server, ...books, tally, times, seed, stream: part });
    let backup: { readonly name: string; readonly span: Span } | undefined;
    await setTimeout(length / 3);
    if (part === restorePart) backup = await backUp(server, books.ledger);
    await setTimeout(length / 3);
    if (part === restorePart) await setClock(shifts.back);
    if (part === forwardPart) await setClock(shifts.forward);
    await setTimeout(length / 3 + random.between(0, 50));
    if (tellsState) memory = Math.max(memory, memoryOf(server.pid));
    if (backup) {
      await load.stop();
      await books.importer.readBack(server);
      books = await restore({ server, data, copy, ...backup, books, context });
      tally.add('kill -9', 1);
    } else {
      await end(server, part, load, context);
      await copyStore(data, copy);
      books.importer.findIn(readStore(copy).held);
      tally.add('unanswered writes', books.ledger.open.size);
      tally.add('of these stored', await expectAgreement(copy, books.ledger));
    }
    say(`part ${part + 1} of ${stops + 1}: ${books.ledger.acknowledged.size} versions`);
  }
  await expectVerified(data);
  const last = await startShifted(data, clock);
  tally.add('versions read back at the end', await expectAnswers(last, books.ledger));
  await last.stop();
  if (books.ledger.failures > 0) throw new FaultError('A write was answered 5xx', tally.figures);
  tally.add('acknowledged versions', books.ledger.acknowledged.size);
  tally.add('versions at the end', books.ledger.acknowledged.size);
  tally.add('backups at the end', (await readdir(join(data, 'backups'))).length);
  tally.add('median of reads and searches, ms', times.quantile(0.5));
  tally.add('99th percentile of reads and searches, ms', times.quantile(0.99));
  tally.add('longest start, ms', Math.round(slowest));
  if (tellsState) tally.add('MiB of memory, at most', Math.round(memory / 1024 ** 2));
  return { result: 'passed', figures: tally.figures };
}

function newBooks(): Books {
  const ledger = new Ledger();
  return { ledger, importer: new Importer(ledger) };
}

/** Starts the server with the clock that the file says (faults/load/shifted-clock.ts). */
function startShifted(data: string, clock: string): Promise<FaultServer> {
  const preload = pathToFileURL(resolve(import.meta.dirname, '../load/shifted-clock.ts')).href;
  return startServer(data, { nodeFlags: ['--import', preload], env: { CLOCK_SHIFT: clock } });
}

/** Ends a server under its load, behind the last part without any. */
async function end(
  server: FaultServer,
  part: number,
  load: { stop(): Promise<void> },
  { tally }: FaultContext,
): Promise<void> {
  const isPolite = part === stops || politeParts.includes(part);
  if (part === stops) await load.stop();
  else tally.add(isPolite ? 'SIGTERM' : 'kill -9', 1);
  await (isPolite ? server.stop() : server.kill());
  await load.stop();
  const code = await server.ended;
  if (isPolite && code !== 0) throw new FaultError(`A stop ended with code ${code}: ${server.said()}`);
}

async function backUp(server: FaultServer, ledger: Ledger): Promise<{ name: string; span: Span }> {
  const from = ledger.tick();
  const answer = await send(server, 'POST', '/app/backups', '{}');
  const backup = parseAs(Backup, answer.text);
  if (answer.status !== 201 || !backup)
    throw new FaultError(`A backup was answered ${answer.status}: ${answer.text}`);
  return { name: backup.name, span: { from, to: ledger.tick() } };
}

interface Restoring {
  readonly server: FaultServer;
  readonly data: string;
  readonly copy: string;
  readonly name: string;
  readonly span: Span;
  readonly books: Books;
  readonly context: FaultContext;
}

/**
 * Puts a backup back while nobody writes, and kills the server at once. The store then holds what the backup does, the
 * file that the answer names holds everything else. Answers books of what is there from then on.
 */
async function restore({ server, data, copy, name, span, books, context }: Restoring): Promise<Books> {
  const { tally } = context;
  const { ledger } = books;
  const later = ledger.tick();
  const answer = await send(server, 'POST', `/app/backups/${name}/restore`, '{}');
  const restored = parseAs(BackupRestored, answer.text);
  if (answer.status !== 200 || !restored)
    throw new FaultError(`A restore was answered ${answer.status}: ${answer.text}`);
  await server.kill();

  await copyStore(data, copy);
  await expectVerified(copy);
  const { held, disagreements } = readStore(copy);
  if (disagreements.length > 0) throw new FaultError(disagreements.slice(0, 5).join('; '));
  const fault = prefixFault(ledger, held, span, later);
  if (fault !== undefined) throw new FaultError(fault);

  const keys = new Set(held.map(({ key }) => key));
  const replaced = [...ledger.acknowledged.keys()].filter((key) => !keys.has(key));
  if (replaced.length === 0) throw new FaultError('The restore had nothing to replace');
  tally.add('versions replaced by the restore', replaced.length);
  const kept = `${copy}-before`;
  await mkdir(kept, { mode: 0o700 });
  await copyFile(join(data, 'backups', restored.before.name), join(kept, 'records.db'));
  const missing = differencesIn(ledger.compare(readStore(kept).held));
  if (missing.length > 0) throw new FaultError(`Of what the restore replaced, ${missing.join('; ')}`);

  tally.add('acknowledged versions', ledger.acknowledged.size - held.length);
  const afterwards = newBooks();
  afterwards.ledger.adopt(held);
  return afterwards;
}
