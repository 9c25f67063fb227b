/**
 * Numbers of versions. A restore takes versions back whose ETags are still in clients' hands: no number that was given
 * out before it is given to another text, or an `If-Match` of then would overwrite what nobody has seen.
 */
import { applyMigrations, type Migrations } from './migrate.ts';
import { closing, hasTable, preparePluck, connect, readIn, type SqliteDatabase } from './sqlite.ts';
import { syncFile } from './sync.ts';

/** What is added where the file that is replaced cannot be read: more than anybody writes between two backups. */
const farOff = 1_000_000;

/**
 * The highest number that was given out in files before this one; 0 where none was replaced, all was reset, or the schema is
 * an older one, which gives out no number behind its versions.
 */
export function numbersTaken(database: SqliteDatabase): number {
  if (!hasTable(database, 'numbering')) return 0;
  const taken = preparePluck<number>(database, 'SELECT max(taken) FROM numbering').get();
  return taken ?? 0;
}

/** The highest number that a version of any record bears, in this file or one before it. */
export function highestNumber(database: SqliteDatabase): number {
  const highest = preparePluck<number>(database, 'SELECT max(version) FROM record').get();
  return Math.max(highest ?? 0, numbersTaken(database));
}

/** The same of the file at `path`, which no server holds; undefined where it cannot be read. */
export function highestNumberIn(path: string): number | undefined {
  return readIn(path, highestNumber);
}

/**
 * Brings a copy of a backup to today's schema and has it number on behind `highest`, that of the file that it will
 * replace.
 */
export function numberOn(draft: string, migrations: Migrations, highest: number | undefined): void {
  closing(connect(draft), (database) => {
    applyMigrations(database, migrations);
    const taken = highest ?? highestNumber(database) + farOff;
    database.transaction(() => {
      const before = numbersTaken(database);
      database.exec('DELETE FROM numbering');
      database.prepare('INSERT INTO numbering (taken) VALUES (?)').run(Math.max(before, taken));
    })();
  });
  syncFile(draft);
}
