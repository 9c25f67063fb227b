/**
 * Backups of a served data folder: by the clock, on request, and back in place. Called by the routes and by the start.
 * Invariant: one after another, so that no two of them meet; what is listed is whole.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Backup, BackupKind, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { FhirError, type FaultKind } from '../../core/fhir/outcome.ts';
import { backupPath, backupsOf, listBackups, type NamedBackup } from '../store/backup-folder.ts';
import { DataFolderError } from '../store/data-folder-error.ts';
import { isFull } from '../store/sqlite.ts';
import type { Doer, Erasing } from '../store/store.ts';
import { toRemove } from './thinning.ts';

/** A database that can be copied while it is used. */
export interface Copied {
  /** Whether something was written that its newest backup does not hold; undefined where there is none. */
  changedSince(backup: string | undefined): Promise<boolean>;
  /** Writes everything into a file; answers its bytes. */
  backUp(path: string, doer?: Doer): Promise<number>;
}

/** The records can also be replaced. */
export interface CopiedRecords extends Copied {
  restore(backup: string, before: string, doer: Doer, erased: readonly Erasing[]): Promise<readonly string[]>;
}

/** Runs work each time so many milliseconds have gone; answers how to stop. */
export type Every = (milliseconds: number, work: () => void) => () => void;

export interface BackupParts {
  readonly dataDir: string;
  readonly records: CopiedRecords;
  readonly workspace: Copied;
  /** The records that no restore brings back; none where absent. */
  readonly erased?: () => readonly Erasing[];
  readonly log: (line: string) => void;
  readonly clock?: () => number;
  readonly every?: Every;
}

export type Backups = ReturnType<typeof createBackups>;

const quarter = 15 * 60 * 1000;

/** The real one; a server that ends does not wait for it. */
export const onTimer: Every = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

export function createBackups({ dataDir, records, workspace, log, ...given }: BackupParts) {
  const { clock = Date.now, every = onTimer, erased = () => [] } = given;
  const path = join(dataDir, 'records.db');
  const inTurn = turns();
  let closed = false;
  const clockwork = [
    { database: records, path },
    { database: workspace, path: join(dataDir, 'workspace.db') },
  ];

  async function make(database: Copied, of: string, kind: BackupKind, doer?: Doer): Promise<Backup> {
    const time = clock();
    await database.backUp(backupPath(of, kind, time), doer);
    thin(of, time);
    return found(listBackups(of).find((one) => one.time === time && one.kind === kind));
  }

  /** Copies what has changed since the newest backup; one that cannot be copied is told and tried again. */
  const tick = () =>
    inTurn(async () => {
      for (const one of clockwork) {
        if (!(await one.database.changedSince(newestCopy(one.path)))) continue;
        await make(one.database, one.path, 'timed');
      }
    }).catch((error: unknown) => {
      if (closed) return;
      log(`no backup was made: ${error instanceof DataFolderError ? error.message : 'an unknown fault'}`);
    });
  const idle = () => inTurn(() => Promise.resolve());
  const stop = every(quarter, () => void tick());

  return {
    list(): BackupList {
      return { folder: backupsOf(path), backups: listBackups(path).flatMap((one) => described(one) ?? []) };
    },

    /** Makes a backup of the records now. */
    make: (doer: Doer): Promise<Backup> => inTurn(() => make(records, path, 'asked', doer)).catch(told),

    /**
     * Puts a backup of the list in the place of the records, and keeps those as a backup too.
     *
     * @throws FhirError `not-found` where the list has no such name, `unprocessable` where the backup is not good.
     */
    restore(name: string, doer: Doer): Promise<BackupRestored> {
      return inTurn(async () => {
        const chosen = listBackups(path).find((one) => one.name === name);
        if (!chosen) throw new FhirError('not-found', { text: 'There is no backup of this name.' });
        const restored = found(chosen);
        const time = clock();
        const before = backupPath(path, 'restore', time);
        const leftOut = await records.restore(chosen.path, before, doer, erased());
        const kept = found(listBackups(path).find((one) => one.path === before));
        thin(path, time);
        return { restored, before: kept, erased: [...leftOut] };
      }).catch(told);
    },

    /** Resolves once the work under way has ended. */
    idle,

    /** Begins nothing more; a backup under way ends with the database, and its draft with the next start. */
    close(): void {
      closed = true;
      stop();
    },
  };
}

/** Path of the newest backup that a copy would follow; what a restore put aside is of another line of writes. */
function newestCopy(of: string): string | undefined {
  const [newest] = listBackups(of);
  return newest?.kind === 'restore' ? undefined : newest?.path;
}

function thin(path: string, now: number): void {
  for (const one of toRemove(listBackups(path), now)) rmSync(one.path, { force: true });
}

function described({ name, path, time, kind }: NamedBackup): Backup | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file && { name, time: new Date(time).toISOString(), bytes: file.size, kind };
}

function found(one: NamedBackup | undefined): Backup {
  const backup = one && described(one);
  if (!backup) throw new FhirError('exception', { text: 'The backup was removed by another program.' });
  return backup;
}

/** Turns what the store says of files into an answer. */
function told(error: unknown): never {
  if (!(error instanceof DataFolderError)) throw error;
  throw new FhirError(kindOf(error.cause), { text: error.message });
}

function kindOf(cause: unknown): FaultKind {
  if (isFull(cause)) return 'disk-full';
  return cause instanceof DataFolderError ? 'unprocessable' : 'exception';
}

/** Runs each piece of work when those before it have ended, however they ended. */
function turns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}
