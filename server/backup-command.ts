/** `chartkeeper backup` and `chartkeeper restore`: the databases of a data folder that no server holds. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ownerName } from '../core/app/tokens.ts';
import { noteCommand, noteCommandIn } from './store/audit-note.ts';
import { DataFolderError } from './store/data-folder-error.ts';
import { eraseRecordsIn } from './store/erase.ts';
import { backUp } from './store/backup.ts';
import { backupPath, newestBackup } from './store/backup-folder.ts';
import { recordMigrations } from './store/migrations.ts';
import { highestNumberIn, numberOn } from './store/numbering.ts';
import { closeDatabase, openDatabase } from './store/open-database.ts';
import { restore } from './store/restore.ts';
import { carryErasures, erasedIn } from './workspace/erasures.ts';
import { workspaceMigrations } from './workspace/workspace.ts';

/** Writes a backup and prints its path. */
export function runBackup(dataDir: string): void {
  const path = join(dataDir, 'records.db');
  const database = openDatabase(path, recordMigrations);
  try {
    const backup = backupPath(path, 'asked');
    const bytes = backUp(database, backup);
    noteCommand(database, { action: 'backup', what: basename(backup), who: ownerName });
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
export function runRestore(dataDir: string, chosen: string | undefined): void {
  const [records, workspace] = [join(dataDir, 'records.db'), join(dataDir, 'workspace.db')];
  const leftOut: string[] = [];
  const backup = chosen === undefined ? newestBackup(records) : resolve(chosen);
  if (backup === undefined) {
    throw new DataFolderError('unusable', `${dataDir} has no backups. Name a backup's file to restore it.`);
  }
  const aside = basename(backup).startsWith('workspace-')
    ? restore(workspace, backup, workspaceMigrations, (draft) => {
        carryErasures(erasedIn(workspace), draft, workspaceMigrations);
      })
    : restore(records, backup, recordMigrations, (draft) => {
        numberOn(draft, recordMigrations, existsSync(records) ? highestNumberIn(records) : 0);
        leftOut.push(...eraseRecordsIn(draft, erasedIn(workspace).list()));
      });
  noteCommandIn(records, { action: 'restore', what: basename(backup), who: ownerName });
  process.stdout.write(`Restored ${backup}.\n`);
  for (const name of leftOut) process.stdout.write(`${name} was erased, and is left out.\n`);
  if (aside !== undefined) process.stdout.write(`The file before it is kept as ${aside}.\n`);
}
