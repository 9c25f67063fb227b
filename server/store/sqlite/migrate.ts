import type { SqliteDatabase } from './sqlite.ts';

/** Takes a database from one `user_version` to the next: SQL, or a function where SQL cannot say it. */
export type Migration = string | ((database: SqliteDatabase) => void);

/** The index in the list is the version. Forward only: one that was released is never changed. */
export type Migrations = readonly Migration[];

/** Takes one step, within the caller's transaction. */
export function take(database: SqliteDatabase, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/**
 * Takes a database to the newest version, each step in one immediate transaction with its `user_version`: a process that
 * ends in between leaves the old schema or the new one.
 */
export function applyMigrations(database: SqliteDatabase, migrations: Migrations): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  for (const [version, migration] of migrations.entries()) {
    if (version < found) continue;
    database
      .transaction(() => {
        take(database, migration);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
