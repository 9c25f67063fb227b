import { readIn, type SqliteDatabase } from './sqlite.ts';

/**
 * What one state of the records is told from another by: place and SHA-256 of the newest version, and of the newest
 * companion; undefined where there is neither. Each write adds a version, and no text is there twice: it holds its own
 * instant. A companion that comes, or is replaced, takes the newest place.
 */
export function newestVersion(database: SqliteDatabase): string | undefined {
  const newest = (table: string) =>
    database
      .prepare<unknown[], string>(`SELECT pk || ' ' || hex(sha256) FROM ${table} ORDER BY pk DESC LIMIT 1`)
      .pluck()
      .get();
  const [version, companion] = [newest('version'), newest('companion')];
  return version === undefined && companion === undefined ? undefined : `${version ?? ''} ${companion ?? ''}`;
}

/** The same of the backup at `path`; undefined where it cannot be read. */
export function newestVersionIn(path: string): string | undefined {
  return readIn(path, newestVersion);
}
