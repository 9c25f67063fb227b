/**
 * Copies each backup to a secondary folder on another disk, syncs it and compares it. Called by the backups and the
 * command line. Invariant: an unreachable folder delays only its own copies.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import * as v from 'valibot';
import type { SecondaryFolderSetting, SecondaryFolder } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseAs } from '../../core/json/shape.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import {
  backupsNamed,
  isNameOf,
  listBackups,
  newestFirst,
  plainFiles,
  removeBackup,
  type NamedBackup,
  type SeenBackups,
} from '../sqlite/backup-folder.ts';
import { copyBackup, CopyMismatchError } from '../sqlite/copy-backup.ts';
import { codeOf, saysFull } from '../store/store-error.ts';
import { removable } from './retention.ts';

const messages = defineMessages('backup.secondLocation', {
  noSpace: 'Not enough space in {folder}. It will be retried.',
  incomplete: 'Not everything could be copied to {folder}. It will be retried.',
  away: 'Can’t reach {folder}. Missing backups are copied when it is back.',
  ofOther: '{folder} contains the backups of another data folder.',
  ofOtherToChoose: '{folder} contains the backups of another data folder. Choose an empty folder.',
  relative: '{folder} must be a full path.',
  inDataFolder: '{folder} is inside the data folder. Choose a folder on another disk.',
  missing: '{folder} doesn’t exist. Create the folder first.',
  notWritable: '{folder} is not writable. Check its owner and permissions.',
});

/** Stores the setting of the secondary folder. */
export interface PlaceMemory {
  getSecondaryFolder(): SecondaryFolderSetting | undefined;
  saveSecondaryFolder(setting: SecondaryFolderSetting): void;
}

interface SecondaryBackupDependencies {
  readonly dataDir: string;
  /** Of the databases whose backups are copied. */
  readonly paths: readonly string[];
  readonly memory: PlaceMemory;
  readonly log: (line: string) => void;
  readonly clock: () => number;
}

/** Result of the last access to the folder. */
type FolderState = Pick<SecondaryFolder, 'state' | 'problem'>;

/** Marker file in the folder. Without it, the folder may be an empty mount point of a missing disk. */
const markFileName = 'chartkeeper-backups.json';
const Mark = v.object({ id: v.string() });

export function createSecondaryBackups({ dataDir, paths, memory, log, clock }: SecondaryBackupDependencies) {
  let folderState: FolderState = { state: 'copying', problem: null };
  let seenBackups: readonly NamedBackup[] = [];
  let comparisonTime: string | null = null;
  let running: Promise<void> | undefined;
  let isRunRequested = false;
  let isReading = false;
  let closed = false;

  const folderOf = () => memory.getSecondaryFolder()?.folder ?? null;

  async function copyAll(folder: string, path: string, fileNames: readonly string[]): Promise<void> {
    const copiedBackups = backupsNamed(folder, path, fileNames);
    const names = new Set(copiedBackups.map(({ name }) => name));
    const localBackups = listBackups(path).filter(({ kind }) => kind !== 'replaced');
    const missingBackups = localBackups.filter(({ name }) => !names.has(name));
    const removableBackups = await removable(newestFirst([...copiedBackups, ...missingBackups]), clock());
    // The latest local backup stays. Its number is small if the data folder was emptied.
    const backupsToRemove = new Set(removableBackups.filter(({ name }) => name !== localBackups[0]?.name));
    for (const backup of missingBackups.filter((backup) => !backupsToRemove.has(backup))) {
      if (closed) return;
      await copyBackup(backup.path, folder);
      comparisonTime = new Date(clock()).toISOString();
    }
    for (const backup of copiedBackups) if (backupsToRemove.has(backup)) removeBackup(backup.path);
  }

  async function readFolder(folder: string): Promise<readonly string[]> {
    isReading = true;
    try {
      await checkMark(folder, memory.getSecondaryFolder()?.id ?? '');
      const files = plainFiles(await readdir(folder, { withFileTypes: true }));
      seenBackups = paths.flatMap((path) => backupsNamed(folder, path, files));
      return files;
    } catch (error) {
      seenBackups = [];
      if (error instanceof ForeignBackupsError) throw error;
      throw new FolderUnreachableError(formatAway(folder));
    } finally {
      isReading = false;
    }
  }

  /** Copies missing backups and prunes the folder. An outage is logged once. */
  async function run(): Promise<void> {
    const folder = closed ? null : folderOf();
    if (folder === null) return;
    const before = folderState.state;
    try {
      const files = await readFolder(folder);
      for (const path of paths) await copyAll(folder, path, files);
      await readFolder(folder);
      folderState = { state: 'good', problem: null };
    } catch (error) {
      folderState = toFolderState(error, folder);
    }
    if (folderState.problem !== null && folderState.state !== before && !closed)
      log(`second location of backups: ${folderState.problem}`);
  }

  /** Runs once at a time. Requests during a run cause one more run. */
  function catchUp(): Promise<void> {
    isRunRequested = running !== undefined;
    running ??= run()
      .finally(() => {
        running = undefined;
      })
      .then(() => (isRunRequested ? catchUp() : undefined));
    return running;
  }

  function stateNow(folder: string, lacking: number): FolderState {
    if (isReading) return { state: 'away', problem: formatAway(folder) };
    return running && lacking > 0 ? { state: 'copying', problem: null } : folderState;
  }

  return {
    catchUp,

    /** Returns the backups of one database as last seen, newest first. */
    list: (path: string): readonly NamedBackup[] => seenBackups.filter(({ name }) => isNameOf(path, name)),

    /** Reads the folder without copying. */
    look: async (): Promise<void> => {
      const folder = folderOf();
      if (folder === null) return;
      await readFolder(folder).then(
        () => (folderState = { state: 'good', problem: null }),
        (error: unknown) => (folderState = toFolderState(error, folder)),
      );
    },

    /** Returns all backups as last seen, and the folder if it is unreachable. */
    listLastSeen(): SeenBackups {
      const folder = folderOf();
      const isAway = isReading || folderState.state === 'away';
      return { backups: seenBackups, unseen: folder !== null && isAway ? folder : null };
    },

    status(path: string): SecondaryFolder | null {
      const folder = folderOf();
      if (folder === null) return null;
      const names = new Set(seenBackups.map(({ name }) => name));
      const localBackups = listBackups(path).filter(({ kind }) => kind !== 'replaced');
      const missingCount = localBackups.filter(({ name }) => !names.has(name)).length;
      return { folder, ...stateNow(folder, missingCount), lacking: missingCount, compared: comparisonTime };
    },

    /**
     * Sets another secondary folder, or none. The files in the previous one stay.
     *
     * @throws FhirError `unprocessable` if the folder is not usable.
     */
    async use(folder: string | null): Promise<void> {
      const id = memory.getSecondaryFolder()?.id ?? randomUUID();
      if (folder !== null) await setMark(dataDir, folder, id);
      memory.saveSecondaryFolder({ folder, id });
      seenBackups = [];
      folderState = { state: 'copying', problem: null };
    },

    /** Starts no further copy, because the workspace with the setting is closed next. */
    close(): void {
      closed = true;
    },
  };
}

/** The folder contains the backups of another data folder. */
class ForeignBackupsError extends Error {
  override readonly name = 'ForeignBackupsError';
}

/** The folder is unreachable, or is an empty mount point. */
class FolderUnreachableError extends Error {
  override readonly name = 'FolderUnreachableError';
}

async function checkMark(folder: string, id: string): Promise<void> {
  const storedMark = parseAs(Mark, await readFile(join(folder, markFileName), 'utf8'));
  if (storedMark?.id !== id) throw new ForeignBackupsError(messages.ofOther({ folder }).text);
}

function toFolderState(error: unknown, folder: string): FolderState {
  if (error instanceof FolderUnreachableError) return { state: 'away', problem: error.message };
  if (error instanceof ForeignBackupsError || error instanceof CopyMismatchError)
    return { state: 'failed', problem: error.message };
  const message = saysFull(error) ? messages.noSpace : messages.incomplete;
  return { state: 'failed', problem: message({ folder }).text };
}

function formatAway(folder: string): string {
  return messages.away({ folder }).text;
}

async function setMark(dataDir: string, folder: string, id: string): Promise<void> {
  const createError = (message: (parameters: { readonly folder: string }) => Message) =>
    new FhirError('unprocessable', message({ folder }));
  if (!isAbsolute(folder)) throw createError(messages.relative);
  const relativePath = relative(dataDir, folder);
  if (!relativePath.startsWith('..') && !isAbsolute(relativePath)) throw createError(messages.inDataFolder);
  const folderStats = await stat(folder).catch(() => undefined);
  if (!folderStats?.isDirectory()) throw createError(messages.missing);
  try {
    await writeFile(join(folder, markFileName), `${JSON.stringify({ id })}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw createError(messages.notWritable);
    await checkMark(folder, id).catch(() => {
      throw createError(messages.ofOtherToChoose);
    });
  }
}
