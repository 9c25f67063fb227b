import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listBackups } from './backup-folder.ts';
import { hasTable, readIn, type SqliteDatabase } from './sqlite.ts';

/**
 * Whether records are not there that were: their backups or their log are, or the workspace beside them knows of them.
 * Only where there is none of these is a clinic new.
 */
export function isMissing(path: string): boolean {
  if (basename(path) !== 'records.db' || existsSync(path)) return false;
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) > 0 || listBackups(path).length > 0) return true;
  return readIn(join(dirname(path), 'workspace.db'), knowsRecords) === true;
}

/** Whether a workspace keeps the end of an audit trail, which stands in the records. */
function knowsRecords(database: SqliteDatabase): boolean {
  return hasTable(database, 'trail_head') && database.prepare('SELECT 1 FROM trail_head').get() !== undefined;
}
