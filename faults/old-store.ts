import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fill } from '../bench/processes.ts';
import { recordMigrations } from '../server/store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../server/store/sqlite/open-database.ts';
import type { SqliteDatabase } from '../server/store/sqlite/sqlite.ts';

export interface OldStoreOptions {
  /** Version of the schema. */
  readonly schema: number;
  readonly records: number;
  readonly seed: number;
}

/** Makes a store of an older schema: its tables are given what they know of a new one's rows. */
export async function makeOldStore(
  folder: string,
  { schema, records, seed }: OldStoreOptions,
): Promise<void> {
  const today = `${folder}-today`;
  await mkdir(today, { recursive: true, mode: 0o700 });
  await fill({ kind: 'ours', data: today, records, seed });
  const database = openDatabase(join(folder, 'records.db'), recordMigrations.slice(0, schema));
  database.prepare('ATTACH ? AS today').run(join(today, 'records.db'));
  for (const table of tablesOf(database)) {
    const columns = columnsOf(database, table).join(', ');
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM today.${table}`);
  }
  database.exec('DETACH today');
  closeDatabase(database);
  await rm(today, { recursive: true });
}

function tablesOf(database: SqliteDatabase): string[] {
  return database
    .prepare<unknown[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .pluck()
    .all();
}

/** The columns that are stored; generated ones are none of them. */
export function columnsOf(database: SqliteDatabase, table: string): string[] {
  return database.prepare<unknown[], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}
