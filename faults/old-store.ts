import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fill } from '../bench/processes.ts';
import { recordMigrations } from '../server/store/sqlite/migrations.ts';
import { closeDatabase, openDatabase } from '../server/sqlite/open-database.ts';
import type { SqliteDatabase } from '../server/sqlite/sqlite.ts';

export interface OldStoreOptions {
  /** Version of the schema. */
  readonly schema: number;
  readonly records: number;
  readonly seed: number;
}

/**
 * Creates a store of an older schema: copies a new store's rows into the tables and columns of the old one.
 */
export async function makeOldStore(
  folder: string,
  { schema, records, seed }: OldStoreOptions,
): Promise<void> {
  const currentFolder = `${folder}-today`;
  await mkdir(currentFolder, { recursive: true, mode: 0o700 });
  await fill({ kind: 'ours', data: currentFolder, records, seed });
  const database = openDatabase(join(folder, 'records.db'), recordMigrations.slice(0, schema));
  database.prepare('ATTACH ? AS today').run(join(currentFolder, 'records.db'));
  for (const table of listTables(database)) {
    const columns = listColumns(database, table).join(', ');
    database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM today.${table}`);
  }
  database.exec('DETACH today');
  closeDatabase(database);
  await rm(currentFolder, { recursive: true });
}

function listTables(database: SqliteDatabase): string[] {
  return database
    .prepare<unknown[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .pluck()
    .all();
}

/** Returns the stored columns of a table, without generated ones. */
export function listColumns(database: SqliteDatabase, table: string): string[] {
  return database.prepare<unknown[], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}
