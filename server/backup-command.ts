/** `chartkeeper backup` and `chartkeeper restore`: the databases of a data folder that no server holds. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ownerName } from '../core/app/tokens.ts';
import type { SealKey } from './store/audit-chain.ts';
import type { TrailHead } from './store/audit-trail.ts';
import { noteCommand, noteCommandIn } from './store/audit-note.ts';
import { DataFolderError } from './store/data-folder-error.ts';
import { backUp } from './store/backup.ts';
import { backupPath, newestBackup } from './store/backup-folder.ts';
import { recordMigrations } from './store/migrations.ts';
import { highestNumberIn, numberOn } from './store/numbering.ts';
import { closeDatabase, openDatabase } from './store/open-database.ts';
import { restore } from './store/restore.ts';
import { headIn } from './store/trail-loss.ts';
import { openWorkspace, workspaceMigrations } from './workspace/workspace.ts';

/** Writes a backup and prints its path. */
export function runBackup(dataDir: string, key?: SealKey): void {
  const path = join(dataDir, 'records.db');
  const database = openDatabase(path, recordMigrations);
  try {
    const backup = backupPath(path, 'asked');
    const bytes = backUp(database, backup);
    noteCommand(database, { action: 'backup', what: basename(backup), who: ownerName }, key);
    process.stdout.write(`${backup}\n`);
    process.stderr.write(`${bytes.toLocaleString('en')} bytes.\n`);
  } finally {
    closeDatabase(database);
  }
}

/**
 * Puts a backup in place, the newest of the records where none is named, and says where the file before it is kept. One
 * whose name begins with `workspace-` takes the workspace's place.
 */
export async function runRestore(dataDir: string, chosen: string | undefined, key?: SealKey): Promise<void> {
  const records = join(dataDir, 'records.db');
  const backup = chosen === undefined ? newestBackup(records) : resolve(chosen);
  if (backup === undefined) {
    throw new DataFolderError('unusable', `${dataDir} has no backups. Name a backup's file to restore it.`);
  }
  const workspace = join(dataDir, 'workspace.db');
  const aside = basename(backup).startsWith('workspace-')
    ? restore(workspace, backup, workspaceMigrations)
    : restore(records, backup, recordMigrations, (draft) => {
        numberOn(draft, recordMigrations, existsSync(records) ? highestNumberIn(records) : 0);
      });
  noteCommandIn(records, { action: 'restore', what: basename(backup), who: ownerName }, key);
  process.stdout.write(`Restored ${backup}.\n`);
  if (aside !== undefined) process.stdout.write(`The file before it is kept as ${aside}.\n`);
  if (existsSync(workspace)) await keepHead(workspace, headIn(records));
}

/** A file that was put in place has an end of its own: what was kept of the other is no loss. */
async function keepHead(path: string, head: TrailHead | undefined): Promise<void> {
  const workspace = await openWorkspace(path);
  workspace.trail.keep(head);
  await workspace.close();
}
