import type { SqliteDatabase } from './sqlite.ts';
import type { VersionHead } from './store.ts';

/** The versions since an instant, newest first, at most so many. */
export type NewestVersions = (since: string, limit: number) => readonly VersionHead[];

export function newestVersions(database: SqliteDatabase): NewestVersions {
  // In the order in which they were written: no index over the time is needed.
  const heads = database.prepare<unknown[], VersionHead>(
    `SELECT type, id, version, last_updated AS lastUpdated, operation, author FROM (
       SELECT pk, type, id, version, last_updated, operation, author FROM version ORDER BY pk DESC LIMIT @limit) WHERE last_updated >= @since ORDER BY pk DESC`,
  );
  return (since, limit) => heads.all({ since, limit });
}
