/**
 * Assigns version numbers after a restore. Clients still have ETags of versions that a restore removes. A number must
 * not be used again, otherwise an old `If-Match` could overwrite a text that the client has not seen.
 */
import { applyMigrations, type Migrations } from '../../sqlite/migrate.ts';
import {
  closing,
  hasTable,
  preparePluck,
  connect,
  readDatabaseFile,
  type SqliteDatabase,
} from '../../sqlite/sqlite.ts';
import { syncFile } from '../../sqlite/sync.ts';

/** Gap in the numbers if the replaced file can't be read. More than anyone writes between two backups. */
const numberGap = 1_000_000;

/**
 * Returns the highest version number used in earlier files. 0 if no file was replaced, after a reset, or with an older
 * schema, which uses no number after its versions.
 */
export function readUsedNumber(database: SqliteDatabase): number {
  if (!hasTable(database, 'numbering')) return 0;
  const usedNumber = preparePluck<number>(database, 'SELECT max(taken) FROM numbering').get();
  return usedNumber ?? 0;
}

/** Returns the highest version number of any record in this file or an earlier one. */
export function highestNumber(database: SqliteDatabase): number {
  const tables = hasTable(database, 'removed') ? ['record', 'removed'] : ['record'];
  const highest = tables.map(
    (table) => preparePluck<number>(database, `SELECT max(version) FROM ${table}`).get() ?? 0,
  );
  return Math.max(...highest, readUsedNumber(database));
}

/** Returns the highest version number of a file that no server has open, or undefined if it can't be read. */
export function highestNumberIn(path: string): number | undefined {
  return readDatabaseFile(path, highestNumber);
}

/**
 * Migrates a copy of a backup and continues its version numbers after `highest`, the highest number of the file that it
 * will replace.
 */
export function numberOn(draft: string, migrations: Migrations, highest: number | undefined): void {
  closing(connect(draft), (database) => {
    applyMigrations(database, migrations);
    const usedNumber = highest ?? highestNumber(database) + numberGap;
    database.transaction(() => {
      const before = readUsedNumber(database);
      database.exec('DELETE FROM numbering');
      database.prepare('INSERT INTO numbering (taken) VALUES (?)').run(Math.max(before, usedNumber));
    })();
  });
  syncFile(draft);
}
