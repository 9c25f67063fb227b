/** `chartkeeper backup` and `chartkeeper restore`: the databases of a data folder that no server holds. */
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { withWorkspace } from './command-place.ts';
import type { DamagedVersion } from '../../core/app/backups.ts';
import { fillPlaceholders, formatCount } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { createSecondaryBackups } from '../backups/secondary-backups.ts';
import { kept, pruneBackups } from '../backups/retention.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { ChainHead } from '../store/sqlite/audit-log-writer.ts';
import { auditCommand, noteCommandIn } from '../store/sqlite/audit-note.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { eraseRecordsIn } from '../store/sqlite/erase.ts';
import { backUp } from '../store/sqlite/backup.ts';
import { backupPath, listBackups, findLatestBackup, skippedBackups } from '../store/sqlite/backup-folder.ts';
import { nameOfVersion } from '../store/checksum.ts';
import { readManifest } from '../store/sqlite/manifest.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { highestNumberIn, numberOn } from '../store/sqlite/numbering.ts';
import { closeDatabase, openDatabase, type Migrations } from '../store/sqlite/open-database.ts';
import { isOfBackup, nextGood, restore, type RestoreResult } from '../store/sqlite/restore.ts';
import { headIn } from '../store/sqlite/audit-loss.ts';
import { carryErasures, erasedIn } from '../workspace/erasures.ts';
import { openWorkspace, workspaceMigrations } from '../workspace/workspace.ts';

const messages = defineMessages('backup.command', {
  noBackups: '{folder} has no backups. Name a backup file to restore.',
  previousDeleted: 'Another program deleted the previous file, {file}.',
  next: '{problem} Use the next intact one: `chartkeeper restore {backup}`.',
});

/** Writes a backup, names the texts in it that are damaged, and prints its path. */
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
  tellSkipped(path);
  await pruneBackups(path, Date.now());
  await copyAll(dataDir, folder);
}

/**
 * Puts a backup in place, the newest of the records where none is named, and says where the file before it is kept. One
 * whose name begins with `workspace-` takes the workspace's place.
 *
 * @throws DataFolderError where the backup is not good; it names the next one that is.
 */
export async function runRestore(dataDir: string, chosen: string | undefined, key?: SealKey): Promise<void> {
  const records = join(dataDir, 'records.db');
  const workspace = join(dataDir, 'workspace.db');
  const backup = chosen === undefined ? findLatestBackup(records) : placeOf([records, workspace], chosen);
  if (backup === undefined) {
    throw new DataFolderError('unusable', messages.noBackups({ folder: dataDir }));
  }
  const isWorkspace = basename(backup).startsWith('workspace');
  const [path, migrations] = isWorkspace ? [workspace, workspaceMigrations] : [records, recordMigrations];
  const leftOut: string[] = [];
  const prepare = (draft: string) => {
    if (isWorkspace) carryErasures(erasedIn(workspace), draft, workspaceMigrations);
    else {
      numberOn(draft, recordMigrations, highestNumberIn(records));
      leftOut.push(...eraseRecordsIn(draft, erasedIn(workspace).list(), key));
    }
  };
  tellSkipped(path);
  const { replacedFile: aside, damagedVersions: damaged } = await restoreOr(
    () => restore(path, backup, migrations, prepare),
    {
      path,
      backup,
      migrations,
    },
  );
  noteCommandIn(records, { action: 'restore', what: basename(backup), who: ownerName }, key);
  process.stdout.write(`Restored ${backup}.\n`);
  reportDamaged(damaged);
  for (const name of leftOut) process.stdout.write(`${name} was erased and is not restored.\n`);
  await pruneBackups(path, Date.now());
  if (aside !== undefined) {
    if (![aside, `${aside}-wal`].some((file) => existsSync(file)))
      throw new DataFolderError('unusable', messages.previousDeleted({ file: aside }));
    process.stdout.write(`The previous file is kept as ${aside}.\n${keptNote}\n`);
  }
  if (existsSync(workspace)) await keepHead(workspace, headIn(records));
}

/** A file that was put in place has an end of its own: what was kept of the other is no loss. */
async function keepHead(path: string, head: ChainHead | undefined): Promise<void> {
  const workspace = await openWorkspace(path);
  workspace.trail.keep(head);
  await workspace.close();
}

const keptNote = fillPlaceholders(
  'The newest {n} such files are kept; older ones are deleted. You can delete them at any time.',
  { n: kept.replaced },
);

/** The file of a backup that is named, or of one whose path is given. */
function placeOf(paths: readonly string[], chosen: string): string {
  return paths.flatMap(listBackups).find(({ name }) => name === chosen)?.path ?? resolve(chosen);
}

interface Attempt {
  readonly path: string;
  readonly backup: string;
  readonly migrations: Migrations;
}

/** What the work answers; where the backup is not good, its fault with the name of the next one that is. */
async function restoreOr(
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
    throw new DataFolderError(error.fault, message, { cause: error });
  }
}

/** Names what lies under a backup's name and is never opened. */
function tellSkipped(path: string): void {
  for (const { name } of skippedBackups(path))
    process.stderr.write(`${name} is not a file and is skipped.\n`);
}

function reportDamaged(damaged: readonly DamagedVersion[]): void {
  for (const one of damaged)
    process.stderr.write(`${nameOfVersion(one)} is damaged, and so is its copy in this backup.\n`);
}

/** Has the second place catch up, where one is named or was set. */
async function copyAll(dataDir: string, folder: string | undefined): Promise<void> {
  const path = join(dataDir, 'workspace.db');
  if (folder === undefined && !existsSync(path)) return;
  await withWorkspace(dataDir, async (workspace) => {
    const paths = [join(dataDir, 'records.db'), path];
    const log = (line: string) => void process.stderr.write(`${line}\n`);
    const second = createSecondaryBackups({ dataDir, paths, memory: workspace, log, clock: Date.now });
    if (folder !== undefined) await second.use(resolve(folder));
    await second.catchUp();
  });
}
