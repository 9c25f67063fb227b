import type { SqliteDatabase } from './sqlite.ts';

/** A step from one `user_version` to the next: SQL, or a function if SQL is not enough. */
export type Migration = string | ((database: SqliteDatabase) => void);

/** The index in the list is the version. Released migrations never change. */
export type Migrations = readonly Migration[];

/** Runs one migration. The caller opens the transaction. */
export function take(database: SqliteDatabase, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/**
 * Migrates a database to the latest version. Each step and its `user_version` share one immediate transaction, so a
 * process that ends leaves the schema of a complete step.
 */
export function applyMigrations(database: SqliteDatabase, migrations: Migrations): void {
  const storedVersion = Number(database.pragma('user_version', { simple: true }));
  for (const [version, migration] of migrations.entries()) {
    if (version < storedVersion) continue;
    database
      .transaction(() => {
        take(database, migration);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
