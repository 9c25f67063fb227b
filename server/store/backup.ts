import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataFolderError } from './data-folder-error.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { syncFile } from './sync.ts';

/**
 * Writes the database as it is into a new file, mode 0600 in a folder 0700, and returns the file's size in bytes. The
 * driver is synchronous: nothing else is done meanwhile.
 *
 * @throws DataFolderError where that cannot be done; no half of a backup is left.
 */
export function backUp(database: SqliteDatabase, path: string): number {
  const folder = dirname(path);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  try {
    // Made before SQLite writes it, so that it is private from its first byte.
    closeSync(openSync(path, 'wx', 0o600));
    database.prepare('VACUUM INTO ?').run(path);
    syncFile(path);
    return statSync(path).size;
  } catch (error) {
    rmSync(path, { force: true });
    throw new DataFolderError('unusable', `No backup could be written to ${path}; nothing was removed.`, {
      cause: error,
    });
  }
}

/** Empties every table in one transaction, those that refer to others first; the schema stays. */
export function emptyTables(database: SqliteDatabase): void {
  const tables = database
    .prepare<unknown[], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid DESC`,
    )
    .all();
  database
    .transaction(() => {
      for (const { name } of tables) database.exec(`DELETE FROM "${name}"`);
    })
    .immediate();
}
