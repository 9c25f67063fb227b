import { createHash } from 'node:crypto';
import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { indexTableNames } from '../../server/store/index-tables.ts';
import { connect } from '../../server/store/sqlite/sqlite.ts';
import { startOnBad } from '../bad-start.ts';
import { flip, flipAnywhere, placeInside } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { makeSample } from '../sample-store.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const flips = { full: 200, short: 20 } as const;

/** One bit of a file is another: a cosmic ray, a tired disk. */
export const bitFlips: FaultCase = {
  name: 'bit-flips',
  claim:
    'A single flipped bit in a stored text is noticed when it is read; one anywhere in the file is refused at the start, noticed on read or by verify, or changes nothing that the store holds.',
  long: true,
  beside: true,
  run,
};

async function run(context: FaultContext): Promise<Finding> {
  await flipBodies(context);
  await flipAnything(context);
  return { result: 'passed', figures: context.tally.figures };
}

/** A bit in each of many texts, in one file: every one of them is told, and no other. */
async function flipBodies({ extent, folder, seed, tally }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 5);
  const data = join(folder, 'bodies');
  const ledger = await makeSample(data, flips[extent] + 50, seed);
  const file = join(data, 'records.db');
  const bytes = await readFile(file);
  const flipped = new Set<string>();
  for (const [key, text] of ledger.acknowledged) {
    const at = flipped.size < flips[extent] ? placeInside(bytes, text, random) : undefined;
    if (at === undefined) continue;
    flip(bytes, at, random);
    flipped.add(key);
  }
  await writeFile(file, bytes);
  const server = await startServer(data);
  const noticed = await noticedOnRead(server, ledger);
  await server.kill();
  const missed = [...flipped].filter((key) => !noticed.has(key));
  const wrong = [...noticed].filter((key) => !flipped.has(key));
  tally.add('bits flipped in texts', flipped.size);
  tally.add('of these noticed on read', flipped.size - missed.length);
  if (flipped.size < flips[extent]) throw new FaultError(`Only ${flipped.size} texts were found in the file`);
  if (missed.length > 0)
    throw new FaultError(`${missed.length} flips were not noticed, such as in ${missed[0]}`);
  if (wrong.length > 0) throw new FaultError(`${wrong[0]} was answered as damaged and is not`);
}

/** Reads every version; answers which are told to be damaged. A text that is answered and is not the one that was acknowledged is a FaultError. */
async function noticedOnRead(server: FaultServer, ledger: Ledger): Promise<Set<string>> {
  const noticed = new Set<string>();
  for (const [key, text] of ledger.acknowledged) {
    const answer = await send(server, 'GET', `${fhirPath}/${key}`);
    if (answer.status === 200 && answer.text !== text)
      throw new FaultError(`${key} is answered with another text`);
    if (answer.status !== 200) noticed.add(key);
  }
  return noticed;
}

type Notice = 'refused at the start' | 'noticed on read' | 'noticed by verify' | 'changed nothing';

async function flipAnything({ extent, folder, seed, tally, say }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 6);
  const [good, bad] = [join(folder, 'good'), join(folder, 'bad')];
  const ledger = await makeSample(good, 60, seed);
  const content = contentOf(join(good, 'records.db'));
  const unnoticed: number[] = [];
  for (let one = 0; one < flips[extent]; one += 1) {
    await rm(bad, { recursive: true, force: true });
    await cp(good, bad, { recursive: true });
    const at = flipAnywhere(join(good, 'records.db'), join(bad, 'records.db'), random);
    const notice = await noticeOf(bad, ledger, content);
    tally.add('bits flipped anywhere', 1);
    tally.add(notice ?? 'not noticed', 1);
    if (notice === undefined) unnoticed.push(at);
    if ((one + 1) % 50 === 0) say(`${one + 1} of ${flips[extent]} flips anywhere`);
  }
  if (unnoticed.length > 0) throw new FaultError(`Flips at bytes ${unnoticed.join(', ')} were not noticed`);
}

async function noticeOf(folder: string, ledger: Ledger, content: string): Promise<Notice | undefined> {
  const file = join(folder, 'records.db');
  const copy = `${file}.flipped`;
  await copyFile(file, copy);
  const started = await startOnBad(folder, file);
  if (typeof started === 'string') return 'refused at the start';
  const noticed = await noticedOnRead(started, ledger);
  await started.kill();
  if (noticed.size > 0) return 'noticed on read';
  await copyFile(copy, file);
  await rm(`${file}-wal`, { force: true });
  if ((await runCommand(['verify', '--data', folder])).code !== 0) return 'noticed by verify';
  return contentOf(copy) === content ? 'changed nothing' : undefined;
}

/** What a start makes anew where it is not as it should be; the derived rows themselves are in the sum. */
const bookkeeping = new Set(['derivation', 'rebuild', 'indexed', 'vouched']);

/** A sum over the rows of the tables that hold something, each index checked. The place of a derived row says nothing. */
function contentOf(file: string): string {
  const database = connect(file, { readonly: true });
  try {
    const sum = createHash('sha256').update(String(database.pragma('integrity_check', { simple: true })));
    const tables = database
      .prepare<unknown[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
      )
      .pluck()
      .all();
    for (const table of tables) {
      if (bookkeeping.has(table)) continue;
      const rows = database.prepare<unknown[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
      const derived = indexTableNames.includes(table);
      const texts = rows.map((row) => JSON.stringify({ ...row, ...(derived && { pk: undefined }) }));
      sum.update(JSON.stringify([table, texts.sort()]));
    }
    return sum.digest('hex');
  } finally {
    database.close();
  }
}
