import type { SealKey } from '../audit-chain.ts';
import type { NewAuditEntry } from '../audit-rows.ts';
import { AuditTrail } from './audit-trail.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from './open-database.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** What the command line did; it has no request and no answer. */
export type CommandEntry = Pick<NewAuditEntry, 'action' | 'what' | 'who'>;

/** The entry of what a command did now. */
export function commandEntry({ action, what, who }: CommandEntry): NewAuditEntry {
  return { time: Date.now(), who, action, what, status: 0, requestId: '' };
}

/** Adds what a command did to the trail of an open records.db, sealed with the key where there is one. */
export function noteCommand(database: SqliteDatabase, entry: CommandEntry, key?: SealKey): void {
  const trail = new AuditTrail(database, key);
  database.transaction(() => trail.add([commandEntry(entry)])).immediate();
}

/**
 * The same in a records.db that nobody holds; it is made where it is not there yet.
 *
 * @throws DataFolderError as `openDatabase` does.
 */
export function noteCommandIn(path: string, entry: CommandEntry, key?: SealKey): void {
  const database = openDatabase(path, recordMigrations);
  try {
    noteCommand(database, entry, key);
  } finally {
    closeDatabase(database);
  }
}
