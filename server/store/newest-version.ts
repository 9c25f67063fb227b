import { readIn, type SqliteDatabase } from './sqlite.ts';

/**
 * What one state of the records is told from another by: place and SHA-256 of the newest version; undefined where there
 * is none. Each write adds a version, and no text is there twice: it holds its own instant.
 */
export function newestVersion(database: SqliteDatabase): string | undefined {
  return database
    .prepare<unknown[], string>("SELECT pk || ' ' || hex(sha256) FROM version ORDER BY pk DESC LIMIT 1")
    .pluck()
    .get();
}

/** The same of the backup at `path`; undefined where it cannot be read. */
export function newestVersionIn(path: string): string | undefined {
  return readIn(path, newestVersion);
}
