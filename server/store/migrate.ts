import { backUp } from './backup.ts';
import { backupPath } from './backup-folder.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** Takes a database from one `user_version` to the next: SQL, or a function where SQL cannot say it. */
export type Migration = string | ((database: SqliteDatabase) => void);

/** The index in the list is the version. Forward only: one that was released is never changed. */
export type Migrations = readonly Migration[];

/**
 * Takes a database to the newest version, each step in one immediate transaction with its `user_version`: a process that
 * ends in between leaves the old schema or the new one. What was there before is backed up first.
 *
 * @throws DataFolderError where no backup can be written; then nothing is changed.
 */
export function migrate(database: SqliteDatabase, migrations: Migrations): void {
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > 0 && found < migrations.length) backUp(database, backupPath(database.name, 'migration'));
  applyMigrations(database, migrations);
}

/** Takes one step, within the caller's transaction. */
export function take(database: SqliteDatabase, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration(database);
}

/** The same without a backup: for what is a copy itself. */
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
