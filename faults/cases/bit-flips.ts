import { createHash } from 'node:crypto';
import { copyFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { indexTableNames } from '../../server/store/index-tables.ts';
import { connect } from '../../server/sqlite/sqlite.ts';
import { startOnBad } from '../bad-start.ts';
import { flipBit, copyWithFlippedBit, pickOffsetInText } from '../bits.ts';
import { runCommand } from '../commands.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import type { Ledger } from '../ledger.ts';
import { createSampleStore } from '../sample-store.ts';
import { send, startServer, type FaultServer } from '../server.ts';

const flips = { full: 200, short: 20 } as const;

/** One bit of a file is flipped, as by a cosmic ray or a failing disk. */
export const bitFlips: FaultCase = {
  name: 'bit-flips',
  claim:
    'A single flipped bit in a stored text is detected when it is read. One anywhere in the file is refused at the start, detected on read or by verify, or changes no content of the store.',
  long: true,
  parallel: true,
  run,
};

async function run(context: FaultContext): Promise<FaultResult> {
  await flipBodies(context);
  await flipAnywhereInFile(context);
  return { result: 'passed', figures: context.tally.figures };
}

/** Flips a bit in each of many texts of one file: exactly these must be reported. */
async function flipBodies({ runLength, folder, seed, tally }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 5);
  const data = join(folder, 'bodies');
  const ledger = await createSampleStore(data, flips[runLength] + 50, seed);
  const file = join(data, 'records.db');
  const bytes = await readFile(file);
  const flipped = new Set<string>();
  for (const [key, text] of ledger.acknowledged) {
    const offset = flipped.size < flips[runLength] ? pickOffsetInText(bytes, text, random) : undefined;
    if (offset === undefined) continue;
    flipBit(bytes, offset, random);
    flipped.add(key);
  }
  await writeFile(file, bytes);
  const server = await startServer(data);
  const noticedKeys = await listDamagedOnRead(server, ledger);
  await server.kill();
  const missedKeys = [...flipped].filter((key) => !noticedKeys.has(key));
  const falseAlarms = [...noticedKeys].filter((key) => !flipped.has(key));
  tally.add('bits flipped in texts', flipped.size);
  tally.add('of these noticed on read', flipped.size - missedKeys.length);
  if (flipped.size < flips[runLength])
    throw new FaultError(`Only ${flipped.size} texts were found in the file`);
  if (missedKeys.length > 0)
    throw new FaultError(`${missedKeys.length} flips were not noticed, such as in ${missedKeys[0]}`);
  if (falseAlarms.length > 0) throw new FaultError(`${falseAlarms[0]} was answered as damaged and is not`);
}

/**
 * Reads every version and returns the keys of those reported as damaged.
 *
 * @throws FaultError if a response has another text than the acknowledged one.
 */
async function listDamagedOnRead(server: FaultServer, ledger: Ledger): Promise<Set<string>> {
  const noticedKeys = new Set<string>();
  for (const [key, text] of ledger.acknowledged) {
    const response = await send(server, 'GET', `${fhirPath}/${key}`);
    if (response.status === 200 && response.text !== text)
      throw new FaultError(`${key} is answered with another text`);
    if (response.status !== 200) noticedKeys.add(key);
  }
  return noticedKeys;
}

type Detection = 'refused at the start' | 'noticed on read' | 'noticed by verify' | 'changed nothing';

async function flipAnywhereInFile({ runLength, folder, seed, tally, say }: FaultContext): Promise<void> {
  const random = new Random(seed, 0, 6);
  const [goodFolder, badFolder] = [join(folder, 'good'), join(folder, 'bad')];
  const ledger = await createSampleStore(goodFolder, 60, seed);
  const expectedDigest = computeDigest(join(goodFolder, 'records.db'));
  const unnoticedOffsets: number[] = [];
  for (let round = 0; round < flips[runLength]; round += 1) {
    await rm(badFolder, { recursive: true, force: true });
    await cp(goodFolder, badFolder, { recursive: true });
    const offset = copyWithFlippedBit(join(goodFolder, 'records.db'), join(badFolder, 'records.db'), random);
    const detection = await detectFlip(badFolder, ledger, expectedDigest);
    tally.add('bits flipped anywhere', 1);
    tally.add(detection ?? 'not noticed', 1);
    if (detection === undefined) unnoticedOffsets.push(offset);
    if ((round + 1) % 50 === 0) say(`${round + 1} of ${flips[runLength]} flips anywhere`);
  }
  if (unnoticedOffsets.length > 0)
    throw new FaultError(`Flips at bytes ${unnoticedOffsets.join(', ')} were not noticed`);
}

async function detectFlip(
  folder: string,
  ledger: Ledger,
  expectedDigest: string,
): Promise<Detection | undefined> {
  const file = join(folder, 'records.db');
  const copy = `${file}.flipped`;
  await copyFile(file, copy);
  const outcome = await startOnBad(folder, file);
  if (typeof outcome === 'string') return 'refused at the start';
  const noticedKeys = await listDamagedOnRead(outcome, ledger);
  await outcome.kill();
  if (noticedKeys.size > 0) return 'noticed on read';
  await copyFile(copy, file);
  await rm(`${file}-wal`, { force: true });
  if ((await runCommand(['verify', '--data', folder])).code !== 0) return 'noticed by verify';
  return computeDigest(copy) === expectedDigest ? 'changed nothing' : undefined;
}

/** Tables that a start rebuilds if they are wrong. The digest covers the derived rows themselves. */
const rebuiltTables = new Set(['derivation', 'rebuild', 'indexed', 'vouched']);

/**
 * Returns a digest of the rows of all content tables, with each index checked. Primary keys of derived rows
 * carry no meaning.
 */
function computeDigest(file: string): string {
  const database = connect(file, { readonly: true });
  try {
    const digest = createHash('sha256').update(String(database.pragma('integrity_check', { simple: true })));
    const tables = database
      .prepare<unknown[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
      )
      .pluck()
      .all();
    for (const table of tables) {
      if (rebuiltTables.has(table)) continue;
      const rows = database.prepare<unknown[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
      const isDerived = indexTableNames.includes(table);
      const texts = rows.map((row) => JSON.stringify({ ...row, ...(isDerived && { pk: undefined }) }));
      digest.update(JSON.stringify([table, texts.sort()]));
    }
    return digest.digest('hex');
  } finally {
    database.close();
  }
}
