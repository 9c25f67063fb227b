import { createHash } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../server/demo/random.ts';
import { newestBackup } from '../../server/store/sqlite/backup-folder.ts';
import { applyMigrations } from '../../server/store/sqlite/migrate.ts';
import { recordMigrations } from '../../server/store/sqlite/migrations.ts';
import { isSchemaOf } from '../../server/store/sqlite/schema.ts';
import { connect } from '../../server/store/sqlite/sqlite.ts';
import { compileShim, Disk } from '../disk.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { columnsOf, makeOldStore } from '../old-store.ts';
import { callsOfStart, startAndDie } from '../killed-start.ts';
import { startServer } from '../server.ts';
import { copyStore } from '../store-copy.ts';

const kills = { full: 50, short: 10 } as const;

/** The first schema that was released, and records of a store that has it. */
const oldest = 1;
const records = 1000;

/** Writes and syncs before a server is ready: the migration itself is among these. */
const lastCalls = 150;

/** A program is replaced by its successor, which is killed while it takes the old store over. */
export const migration: FaultCase = {
  name: 'migration',
  claim:
    'A start that is killed while it migrates an old store leaves the old schema or the new one with all records, never something between; the next start finishes, with a backup of the old store beside it.',
  long: true,
  beside: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  const shim = await compileShim(folder);
  if ('reason' in shim) return { result: 'not run', reason: shim.reason };
  const old = join(folder, 'old');
  await makeOldStore(join(old, 'data'), { schema: oldest, records, seed });
  const content = contentOf(join(old, 'data', 'records.db'));
  const calls = await callsOfStart(await diskWith(old, join(folder, 'whole'), shim.library));
  tally.add('records', records);
  tally.add('writes and syncs of a start', calls);
  const random = new Random(seed, 0, 7);
  for (let one = 0; one < kills[extent]; one += 1) {
    const place = join(folder, `kill-${one}`);
    const disk = await diskWith(old, place, shim.library);
    const killAt = random.between(one % 2 === 0 ? 1 : Math.max(1, calls - lastCalls), calls);
    await startAndDie(disk, { seed: seed + one, killAt });
    if (one % 4 < 2) await disk.forget();
    else await disk.cut();
    tally.add('kills', 1);
    tally.add(await expectOneSchema(disk.data, place, content), 1);
    await expectWhole(disk, content);
    await rm(place, { recursive: true });
    if ((one + 1) % 10 === 0) say(`${one + 1} of ${kills[extent]} kills`);
  }
  return { result: 'passed', figures: tally.figures };
}

async function diskWith(old: string, place: string, library: string): Promise<Disk> {
  const disk = await Disk.make(place, library);
  await cp(join(old, 'data'), disk.data, { recursive: true });
  return disk;
}

/** Looks at a copy of what the kill left: its schema is that of its version, and no record is missing. */
async function expectOneSchema(data: string, place: string, content: string): Promise<string> {
  const copy = join(place, 'copy');
  await copyStore(data, copy);
  const database = connect(join(copy, 'records.db'));
  const version = Number(database.pragma('user_version', { simple: true }));
  const whole = isSchemaOf(database, recordMigrations.slice(0, version));
  database.close();
  if (!whole || version < oldest)
    throw new FaultError(`A kill left a schema that is not that of version ${version}`);
  if (contentOf(join(copy, 'records.db')) !== content) throw new FaultError('A kill changed records');
  return version === recordMigrations.length ? 'found with the new schema' : 'found with the old schema';
}

/** The next start migrates to the end, and what was there before is backed up. */
async function expectWhole(disk: Disk, content: string): Promise<void> {
  const server = await startServer(disk.data);
  await server.stop();
  await expectVerified(disk.data);
  const file = join(disk.data, 'records.db');
  if (contentOf(file) !== content) throw new FaultError('The start after a kill changed records');
  const backup = newestBackup(file);
  if (backup === undefined) throw new FaultError('No backup was made before the migration');
  if (contentOf(backup) !== content) throw new FaultError('The backup has other records');
}

/** A sum over the rows and columns that every schema has. */
function contentOf(file: string): string {
  const first = connect(':memory:');
  applyMigrations(first, recordMigrations.slice(0, oldest));
  const database = connect(file, { readonly: true });
  try {
    const sum = createHash('sha256').update(String(database.pragma('integrity_check', { simple: true })));
    for (const table of ['version', 'record', 'reference', 'token', 'date_range', 'string', 'issue']) {
      const columns = columnsOf(first, table).join(', ');
      const rows = database
        .prepare<unknown[], unknown[]>(`SELECT ${columns} FROM ${table} ORDER BY rowid`)
        .raw();
      for (const row of rows.iterate()) sum.update(JSON.stringify([table, row]));
    }
    return sum.digest('hex');
  } finally {
    first.close();
    database.close();
  }
}
