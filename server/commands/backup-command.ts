/** `chartkeeper backup` and `chartkeeper restore`, for a data folder that no server uses. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { withWorkspace } from './command-place.ts';
import type { DamagedVersion } from '../../core/app/backups.ts';
import { fillPlaceholders, formatCount } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { createSecondaryBackups } from '../backups/secondary-backups.ts';
import { retentionLimits, pruneBackups } from '../backups/retention.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { ChainHead } from '../store/audit-log.ts';
import { auditCommand, noteCommandIn } from '../store/sqlite/audit-note.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';
import { eraseRecordsIn } from '../store/sqlite/erase.ts';
import { backUp } from '../sqlite/backup.ts';
import { backupPath, listBackups, findLatestBackup, skippedBackups } from '../sqlite/backup-folder.ts';
import { nameOfVersion } from '../store/checksum.ts';
import { readManifest } from '../sqlite/manifest.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { highestNumberIn, numberOn } from '../store/sqlite/numbering.ts';
import { closeDatabase, openDatabase, type Migrations } from '../sqlite/open-database.ts';
import { isOfBackup, nextGood, restore, type RestoreResult } from '../sqlite/restore.ts';
import { headIn } from '../store/sqlite/audit-loss.ts';
import { copyErasures, readErasures } from '../workspace/erasures.ts';
import { openWorkspace, workspaceMigrations } from '../workspace/workspace.ts';

const messages = defineMessages('backup.command', {
  noBackups: '{folder} has no backups. Name a backup file to restore.',
  previousDeleted: 'Another program deleted the previous file, {file}.',
  next: '{problem} Use the next intact one: `chartkeeper restore {backup}`.',
});

/** Writes a backup, prints its path and reports damaged texts in it. */
export async function runBackup(dataDir: string, folder: string | undefined, key?: SealKey): Promise<void> {
  const path = join(dataDir, 'records.db');
  const database = openDatabase(path, recordMigrations);
  const backup = backupPath(path, 'asked');
  try {
    const bytes = backUp(database, backup);
    auditCommand(database, { action: 'backup', what: basename(backup), who: ownerName }, key);
    process.stdout.write(`${backup}\n`);
    process.stderr.write(`${formatCount(bytes)} bytes.\n`);
  } finally {
    closeDatabase(database);
  }
  reportDamaged(readManifest(backup)?.damaged ?? []);
  reportSkipped(path);
  await pruneBackups(path, Date.now());
  await copyToSecondary(dataDir, folder);
}

/**
 * Restores a backup, by default the latest of the records, and prints where the replaced file is kept. A name that begins
 * with `workspace-` restores the workspace.
 *
 * @throws DataFolderError if the backup is damaged. The message names the next intact backup.
 */
export async function runRestore(
  dataDir: string,
  backupName: string | undefined,
  key?: SealKey,
): Promise<void> {
  const records = join(dataDir, 'records.db');
  const workspace = join(dataDir, 'workspace.db');
  const backup =
    backupName === undefined ? findLatestBackup(records) : resolveBackup([records, workspace], backupName);
  if (backup === undefined) {
    throw new DataFolderError('unusable', messages.noBackups({ folder: dataDir }));
  }
  const isWorkspace = basename(backup).startsWith('workspace');
  const [path, migrations] = isWorkspace ? [workspace, workspaceMigrations] : [records, recordMigrations];
  const erasedNames: string[] = [];
  const prepare = (draft: string) => {
    if (isWorkspace) copyErasures(readErasures(workspace), draft, workspaceMigrations);
    else {
      numberOn(draft, recordMigrations, highestNumberIn(records));
      erasedNames.push(...eraseRecordsIn(draft, readErasures(workspace).list(), key));
    }
  };
  reportSkipped(path);
  const { replacedFile, damagedVersions } = await restoreWithSuggestion(
    () => restore(path, backup, migrations, prepare),
    {
      path,
      backup,
      migrations,
    },
  );
  noteCommandIn(records, { action: 'restore', what: basename(backup), who: ownerName }, key);
  process.stdout.write(`Restored ${backup}.\n`);
  reportDamaged(damagedVersions);
  for (const name of erasedNames) process.stdout.write(`${name} was erased and is not restored.\n`);
  await pruneBackups(path, Date.now());
  if (replacedFile !== undefined) {
    if (![replacedFile, `${replacedFile}-wal`].some((file) => existsSync(file)))
      throw new DataFolderError('unusable', messages.previousDeleted({ file: replacedFile }));
    process.stdout.write(`The previous file is kept as ${replacedFile}.\n${retentionNote}\n`);
  }
  if (existsSync(workspace)) await storeHead(workspace, headIn(records));
}

/** Stores the chain head of the restored file. Otherwise the next start would report a loss. */
async function storeHead(path: string, head: ChainHead | undefined): Promise<void> {
  const workspace = await openWorkspace(path);
  workspace.trail.keep(head);
  await workspace.close();
}

const retentionNote = fillPlaceholders(
  'The newest {n} such files are kept; older ones are deleted. You can delete them at any time.',
  { n: retentionLimits.replaced },
);

/** Returns the path of a backup by its name or path. */
function resolveBackup(paths: readonly string[], backupName: string): string {
  return paths.flatMap(listBackups).find(({ name }) => name === backupName)?.path ?? resolve(backupName);
}

interface Attempt {
  readonly path: string;
  readonly backup: string;
  readonly migrations: Migrations;
}

/** Runs a restore. If the backup is damaged, adds the next intact backup to the error. */
async function restoreWithSuggestion(
  work: () => RestoreResult,
  { path, backup, migrations }: Attempt,
): Promise<RestoreResult> {
  try {
    return work();
  } catch (error) {
    if (!isOfBackup(error)) throw error;
    const next = await nextGood(listBackups(path), basename(backup), migrations);
    if (!next) throw error;
    const message = messages.next({ problem: error.message, backup: next.name });
    throw new DataFolderError(error.errorCode, message, { cause: error });
  }
}

/** Reports entries that have the name of a backup but are not files. */
function reportSkipped(path: string): void {
  for (const { name } of skippedBackups(path))
    process.stderr.write(`${name} is not a file and is skipped.\n`);
}

function reportDamaged(damagedVersions: readonly DamagedVersion[]): void {
  for (const version of damagedVersions)
    process.stderr.write(`${nameOfVersion(version)} is damaged, and so is its copy in this backup.\n`);
}

/** Copies missing backups to the secondary folder, if one is given or set. */
async function copyToSecondary(dataDir: string, folder: string | undefined): Promise<void> {
  const path = join(dataDir, 'workspace.db');
  if (folder === undefined && !existsSync(path)) return;
  await withWorkspace(dataDir, async (workspace) => {
    const paths = [join(dataDir, 'records.db'), path];
    const log = (line: string) => void process.stderr.write(`${line}\n`);
    const secondaryBackups = createSecondaryBackups({
      dataDir,
      paths,
      memory: workspace,
      log,
      clock: Date.now,
    });
    if (folder !== undefined) await secondaryBackups.use(resolve(folder));
    await secondaryBackups.catchUp();
  });
}
