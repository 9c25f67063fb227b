import type { SqliteDatabase } from './sqlite.ts';

/**
 * The SQL that takes a database from one `user_version` to the next; the index in the list is the version. Forward only:
 * one that was released is never changed.
 */
export type Migrations = readonly string[];

/**
 * Takes a database to the newest version, each step in one immediate transaction with its `user_version`: a process that
 * ends in between leaves the old schema or the new one.
 */
export function applyMigrations(database: SqliteDatabase, migrations: Migrations): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  for (const [version, sql] of migrations.entries()) {
    if (version < found) continue;
    database
      .transaction(() => {
        database.exec(sql);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
