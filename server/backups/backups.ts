/**
 * Creates and restores backups of a served data folder: timed and on request. Called by the routes and at the start.
 * Invariants: one operation at a time; each listed backup is complete.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Backup, BackupKind, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { onTimer, type ScheduleEvery } from '../background/background.ts';
import {
  backupPath,
  backupsOf,
  listBackups,
  newestFirst,
  skippedBackups,
  type NamedBackup,
} from '../sqlite/backup-folder.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';
import type { Migrations } from '../sqlite/migrate.ts';
import { isOfBackup, nextGood } from '../sqlite/restore.ts';
import type { Actor, ErasureRequest } from '../store/store.ts';
import { createMutex } from '../store/mutex.ts';
import { described, rethrowStoreError, type PlacedBackup } from './backup-answers.ts';
import { createSecondaryBackups, type PlaceMemory } from './secondary-backups.ts';
import { pruneBackups } from './retention.ts';

const messages = defineMessages('backup', {
  deletedByOther: 'Another program deleted the backup.',
  noBackup: 'There is no backup with this name.',
  next: '{problem} Use {backup} instead.',
  noneIntact: '{problem} No other backup is intact.',
});

/** A database that can be copied while in use. */
export interface CopyableDatabase {
  /** Resolves with true if something was written since a backup, or if there is no backup. */
  changedSince(backup: string | undefined): Promise<boolean>;
  /** Writes everything into a file. Returns its size in bytes. */
  backUp(path: string, doer?: Actor): Promise<number>;
}

/** The records, which can also be replaced. */
export interface CopiedRecords extends CopyableDatabase {
  restore(
    backup: string,
    before: string,
    doer: Actor,
    erasedRecords: readonly ErasureRequest[],
  ): Promise<readonly string[]>;
  /** Backs up the records, verifies the file and removes all records. Returns the size of the file in bytes. */
  empty(backup: string, doer: Actor): Promise<number>;
}

export interface BackupParts {
  readonly dataDir: string;
  readonly migrations: Migrations;
  readonly records: CopiedRecords;
  readonly workspace: CopyableDatabase & PlaceMemory;
  /** Erased records that no restore brings back. None if absent. */
  readonly listErasures?: () => readonly ErasureRequest[];
  readonly log: (line: string) => void;
  readonly clock?: () => number;
  readonly scheduleEvery?: ScheduleEvery;
  /**
   * Longest time in milliseconds that a stop waits for a backup. The desktop application kills a server after three
   * seconds.
   */
  readonly stopPatience?: number;
}

export type Backups = ReturnType<typeof createBackups>;

/** Restored copy, and the records that were excluded from it. */
interface RestoreOutcome {
  readonly copy: PlacedBackup;
  readonly excludedNames: readonly string[];
}

const quarterMs = 15 * 60 * 1000;

export function createBackups({ dataDir, migrations, records, workspace, log, ...options }: BackupParts) {
  const {
    clock = Date.now,
    scheduleEvery = onTimer,
    listErasures: listErased = () => [],
    stopPatience = 1500,
  } = options;
  const path = join(dataDir, 'records.db');
  const inTurn = createMutex();
  let hasBegun = false;
  let closed = false;
  const sources = [
    { database: records, path },
    { database: workspace, path: join(dataDir, 'workspace.db') },
  ];
  const paths = sources.map((source) => source.path);
  const secondaryBackups = createSecondaryBackups({ dataDir, paths, memory: workspace, log, clock });

  /** Lists all copies of backups of the records. Copies in the data folder come first. */
  function copies(): readonly PlacedBackup[] {
    const secondaryCopies = secondaryBackups.list(path);
    const copiedNames = new Set(secondaryCopies.map(({ name }) => name));
    return [
      ...listBackups(path).map((backup) => ({
        ...backup,
        place: 'first' as const,
        copied: copiedNames.has(backup.name),
      })),
      ...secondaryCopies.map((backup) => ({ ...backup, place: 'second' as const, copied: true })),
    ];
  }

  /** Lists all backups of the records once, newest first. */
  function listAll(): readonly PlacedBackup[] {
    const copiesByName = new Map(
      copies()
        .map((copy) => [copy.name, copy] as const)
        .toReversed(),
    );
    return newestFirst([...copiesByName.values()]);
  }

  const describeCopy = async (matches: (candidate: PlacedBackup) => boolean): Promise<Backup> => {
    const copy = copies().find(matches);
    const backup = copy && (await described(copy));
    if (!backup) throw new FhirError('exception', messages.deletedByOther());
    return backup;
  };

  /** Returns the path of the next backup, with a number above all numbers in both folders. */
  const nextPath = (databasePath: string, kind: BackupKind) =>
    backupPath(databasePath, kind, clock(), secondaryBackups.list(databasePath));

  async function make(
    database: CopyableDatabase,
    databasePath: string,
    kind: BackupKind,
    actor?: Actor,
  ): Promise<string> {
    const backup = nextPath(databasePath, kind);
    await database.backUp(backup, actor);
    await pruneBackups(databasePath, clock());
    return backup;
  }

  /**
   * Returns true if the latest backup is older than a quarter of an hour. A backup from the future has the time of a
   * wrong clock.
   */
  function isDue(databasePath: string): boolean {
    const age = clock() - (newestCopy(databasePath)?.time ?? -Infinity);
    return age < 0 || age >= quarterMs;
  }

  /** Backs up changed databases. A failed backup is logged and retried. */
  const tick = (isRequested: (databasePath: string) => boolean = () => true) =>
    inTurn(async () => {
      for (const source of sources) {
        if (closed || !isRequested(source.path)) continue;
        if (!(await source.database.changedSince(newestCopy(source.path)?.path))) continue;
        await make(source.database, source.path, 'timed');
      }
    })
      .catch((error: unknown) => {
        if (closed) return;
        log(`no backup was made: ${error instanceof DataFolderError ? error.message : 'unknown error'}`);
      })
      .then(() => (closed ? undefined : secondaryBackups.catchUp()));
  const stop = scheduleEvery(quarterMs, () => void tick());

  /** Copies missing backups to the secondary folder, but waits no longer than a person would. */
  const waitForSecondary = () => waitAtMost(timeoutMs, secondaryBackups.catchUp());

  const list = async (): Promise<BackupList> => {
    await waitForSecondary();
    const backups = await Promise.all(listAll().map(described));
    return {
      folder: backupsOf(path),
      backups: backups.flatMap((backup) => backup ?? []),
      skipped: skippedBackups(path).map(({ name }) => name),
      secondPlace: secondaryBackups.status(path),
    };
  };

  /** Restores the first usable copy of a backup. */
  async function restoreOf(
    copiesOfBackup: readonly PlacedBackup[],
    before: string,
    actor: Actor,
  ): Promise<RestoreOutcome> {
    let fault: unknown;
    for (const copy of copiesOfBackup) {
      try {
        return { copy, excludedNames: await records.restore(copy.path, before, actor, listErased()) };
      } catch (error) {
        fault ??= error;
      }
    }
    throw fault;
  }

  /** Adds the name of the next intact backup to an error: an older one, otherwise the latest. */
  async function addNextBackup(fault: unknown, { name }: NamedBackup): Promise<unknown> {
    if (!isOfBackup(fault)) return fault;
    const next = await nextGood(listAll(), name, migrations);
    const problem = fault.message;
    const message = next ? messages.next({ problem, backup: next.name }) : messages.noneIntact({ problem });
    return new DataFolderError(fault.errorCode, message, { cause: fault });
  }

  return {
    list,

    /** Returns the backups in the secondary folder, as last seen. */
    second: () => secondaryBackups.listLastSeen(),

    /** Creates a backup of the records now, and copies it to the secondary folder if that is reachable. */
    make: (actor: Actor): Promise<Backup> =>
      inTurn(async () => {
        const backupPathname = await make(records, path, 'asked', actor);
        // Described within the queue, because later backups may cause its removal.
        return describeCopy((copy) => copy.path === backupPathname);
      })
        .then(async (backup) => {
          await waitForSecondary();
          return { ...backup, copied: secondaryBackups.list(path).some(({ name }) => name === backup.name) };
        })
        .catch(rethrowStoreError),

    /**
     * Removes all records after a backup.
     *
     * @throws FhirError if no backup could be created. Then nothing was removed.
     */
    empty: (actor: Actor): Promise<{ path: string; bytes: number }> =>
      inTurn(async () => {
        const before = nextPath(path, 'reset');
        await records.empty(before, actor);
        await pruneBackups(path, clock());
        const { bytes } = await describeCopy((copy) => copy.path === before);
        return { path: before, bytes };
      })
        .finally(() => void secondaryBackups.catchUp())
        .catch(rethrowStoreError),

    /**
     * Replaces the records with a listed backup and keeps them as a backup. If the copy in the data folder is damaged,
     * uses the copy in the secondary folder.
     *
     * @throws FhirError `not-found` for an unknown name, `backup-damaged` if texts are damaged that its manifest does
     * not list,
     * `unprocessable` if it is not usable otherwise. Both name the next intact backup.
     */
    async restore(name: string, actor: Actor): Promise<BackupRestored> {
      await waitForSecondary();
      return inTurn(async () => {
        const matchingCopies = copies().filter((copyOfName) => copyOfName.name === name);
        const [firstCopy] = matchingCopies;
        if (!firstCopy) throw new FhirError('not-found', messages.noBackup());
        const before = nextPath(path, 'restore');
        const { copy, excludedNames } = await restoreOf(matchingCopies, before, actor).catch(
          async (error: unknown) => {
            throw await addNextBackup(error, firstCopy);
          },
        );
        const restoredBackup = await describeCopy(({ path: candidatePath }) => candidatePath === copy.path);
        await pruneBackups(path, clock());
        const replacedBackup = await describeCopy(({ path: candidatePath }) => candidatePath === before);
        return { restored: restoredBackup, before: replacedBackup, erased: [...excludedNames] };
      })
        .finally(() => void secondaryBackups.catchUp())
        .catch(rethrowStoreError);
    },

    /**
     * Sets the secondary folder, or none for null, and copies missing backups to it.
     *
     * @throws FhirError `unprocessable` if the folder is not usable.
     */
    async setSecondaryFolder(folder: string | null): Promise<BackupList> {
      await secondaryBackups.use(folder);
      return list();
    },

    /** Applies the secondary folder of the command line, and logs the skipped files. */
    async atStart(folder: string | undefined): Promise<void> {
      if (folder !== undefined && workspace.getSecondaryFolder()?.folder !== folder)
        await secondaryBackups.use(folder);
      for (const { name } of paths.flatMap(skippedBackups)) log(`${name} is not a file and is skipped.`);
      void secondaryBackups.catchUp();
    },

    /** Resolves once the current work has ended. */
    idle: async (): Promise<void> => {
      await inTurn(() => undefined);
      await secondaryBackups.catchUp();
    },

    /** Starts timed backups. Creates the backups that an earlier session missed. */
    begin(): Promise<void> {
      hasBegun = true;
      return tick(isDue);
    },

    /**
     * Creates due backups and starts no more work. If a backup takes longer than the stop may wait, it ends with the
     * database.
     * The next start removes its draft and creates it.
     */
    async close(): Promise<void> {
      stop();
      if (hasBegun) await waitAtMost(stopPatience, tick(isDue));
      closed = true;
      secondaryBackups.close();
    },
  };
}

/** Longest time in milliseconds that a response waits for the secondary folder. */
const timeoutMs = 2000;

/** Returns the latest backup of the current line of writes. Files that a restore replaced belong to another line. */
function newestCopy(databasePath: string): NamedBackup | undefined {
  const [newest] = listBackups(databasePath);
  return newest?.kind === 'restore' || newest?.kind === 'replaced' ? undefined : newest;
}

/** Resolves with the work, or after a time in milliseconds. */
export async function waitAtMost(milliseconds: number, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  const timeout = setTimeout(milliseconds, undefined, { signal: end.signal });
  await Promise.race([work, timeout.catch(() => undefined)]);
  end.abort();
}
