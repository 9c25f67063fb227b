import { createHash } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { findLatestBackup } from '../../server/sqlite/backup-folder.ts';
import { applyMigrations } from '../../server/sqlite/migrate.ts';
import { recordMigrations } from '../../server/store/sqlite/migrations.ts';
import { strangeObjects } from '../../server/sqlite/schema.ts';
import { connect } from '../../server/sqlite/sqlite.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { listColumns, makeOldStore } from '../old-store.ts';
import { countCallsOfStart, startAndDie } from '../killed-start.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';

const kills = { full: 50, short: 10 } as const;

/** The first released schema, and the number of records of a store that has it. */
const oldestSchema = 1;
const records = 1000;

/** Last writes and syncs before a server is ready. The migration is among them. */
const lastCalls = 150;

/** A newer program is killed while it migrates an old store. */
export const migration: FaultCase = {
  name: 'migration',
  claim:
    'A start that is killed while it migrates an old store leaves the old schema or the new one with all records, never a mixture. The next start finishes, with a backup of the old store.',
  long: true,
  parallel: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const oldFolder = join(folder, 'old');
  await makeOldStore(join(oldFolder, 'data'), { schema: oldestSchema, records, seed });
  const expectedDigest = computeDigest(join(oldFolder, 'data', 'records.db'));
  const calls = await countCallsOfStart(await createDisk(oldFolder, join(folder, 'whole'), shim.library));
  tally.add('records', records);
  tally.add('writes and syncs of a start', calls);
  const random = new Random(seed, 0, 7);
  for (let round = 0; round < kills[runLength]; round += 1) {
    const diskFolder = join(folder, `kill-${round}`);
    const disk = await createDisk(oldFolder, diskFolder, shim.library);
    const killAt = random.integerBetween(round % 2 === 0 ? 1 : Math.max(1, calls - lastCalls), calls);
    await startAndDie(disk, { seed: seed + round, killAt });
    if (round % 4 < 2) await disk.resetShadow();
    else await disk.cutPower();
    tally.add('kills', 1);
    tally.add(await expectOneSchema(disk.data, diskFolder, expectedDigest), 1);
    await expectMigrated(disk, expectedDigest);
    await rm(diskFolder, { recursive: true });
    if ((round + 1) % 10 === 0) say(`${round + 1} of ${kills[runLength]} kills`);
  }
  return { result: 'passed', figures: tally.figures };
}

async function createDisk(oldFolder: string, diskFolder: string, library: string): Promise<Disk> {
  const disk = await Disk.make(diskFolder, library);
  await cp(join(oldFolder, 'data'), disk.data, { recursive: true });
  return disk;
}

/** Checks a copy of the killed store: the schema matches its version, and no record is missing. */
async function expectOneSchema(data: string, diskFolder: string, expectedDigest: string): Promise<string> {
  const copy = join(diskFolder, 'copy');
  await copyStore(data, copy);
  const database = connect(join(copy, 'records.db'));
  const version = Number(database.pragma('user_version', { simple: true }));
  const isKnownSchema = strangeObjects(database, recordMigrations.slice(0, version)).length === 0;
  database.close();
  if (!isKnownSchema || version < oldestSchema)
    throw new FaultError(`A kill left a schema that is not that of version ${version}`);
  if (computeDigest(join(copy, 'records.db')) !== expectedDigest)
    throw new FaultError('A kill changed records');
  return version === recordMigrations.length ? 'found with the new schema' : 'found with the old schema';
}

/** Asserts that the next start completes the migration and that the old store was backed up. */
async function expectMigrated(disk: Disk, expectedDigest: string): Promise<void> {
  const server = await startServer(disk.data);
  await server.stop();
  await expectVerified(disk.data);
  const file = join(disk.data, 'records.db');
  if (computeDigest(file) !== expectedDigest) throw new FaultError('The start after a kill changed records');
  const backup = findLatestBackup(file);
  if (backup === undefined) throw new FaultError('No backup was made before the migration');
  if (computeDigest(backup) !== expectedDigest) throw new FaultError('The backup has other records');
}

/** Returns a digest of the rows and columns that every schema has. */
function computeDigest(file: string): string {
  const oldestDatabase = connect(':memory:');
  applyMigrations(oldestDatabase, recordMigrations.slice(0, oldestSchema));
  const database = connect(file, { readonly: true });
  try {
    const digest = createHash('sha256').update(String(database.pragma('integrity_check', { simple: true })));
    for (const table of ['version', 'record', 'reference', 'token', 'date_range', 'string', 'issue']) {
      const columns = listColumns(oldestDatabase, table).join(', ');
      const rows = database
        .prepare<unknown[], unknown[]>(`SELECT ${columns} FROM ${table} ORDER BY rowid`)
        .raw();
      for (const row of rows.iterate()) digest.update(JSON.stringify([table, row]));
    }
    return digest.digest('hex');
  } finally {
    oldestDatabase.close();
    database.close();
  }
}
