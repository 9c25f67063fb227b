import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listBackups } from './backup-folder.ts';
import { hasTable, readDatabaseFile, type SqliteDatabase } from './sqlite.ts';

/**
 * Returns true if records existed in a folder but are missing: backups, a WAL or the workspace refer to them. Without
 * any of these the folder is new.
 */
export function isMissing(path: string): boolean {
  if (basename(path) !== 'records.db' || existsSync(path)) return false;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) > 0 || listBackups(path).length > 0) return true;
  return readDatabaseFile(join(dirname(path), 'workspace.db'), hasAuditAnchor) === true;
}

/** Returns true if a workspace has an audit anchor. Anchors refer to the records. */
function hasAuditAnchor(database: SqliteDatabase): boolean {
  return hasTable(database, 'trail_head') && database.prepare('SELECT 1 FROM trail_head').get() !== undefined;
}
