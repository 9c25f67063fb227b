import { commandEntry, type SealKey, type CommandEntry } from '../audit-chain.ts';
import { AuditLogWriter } from './audit-log-writer.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Appends a command to the audit log of an open records.db. Seals it with the key, if there is one. */
export function auditCommand(database: SqliteDatabase, entry: CommandEntry, key?: SealKey): void {
  const auditLog = new AuditLogWriter(database, key);
  database.transaction(() => auditLog.add([commandEntry(entry)])).immediate();
}

/**
 * Appends a command to the audit log of a records.db that no server has open. Creates the file if it is missing.
 *
 * @throws DataFolderError as `openDatabase` does.
 */
export function noteCommandIn(path: string, entry: CommandEntry, key?: SealKey): void {
  const database = openDatabase(path, recordMigrations);
  try {
    auditCommand(database, entry, key);
  } finally {
    closeDatabase(database);
  }
}
