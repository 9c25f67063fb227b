/**
 * Backups of a served data folder: by the clock, on request, and back in place. Called by the routes and by the start.
 * Invariant: one after another, so that no two of them meet; what is listed is whole.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Backup, BackupKind, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import {
  backupPath,
  backupsOf,
  listBackups,
  newestFirst,
  skippedBackups,
  type NamedBackup,
} from '../store/sqlite/backup-folder.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { isOfBackup, nextGood } from '../store/sqlite/restore.ts';
import type { Doer, Erasing } from '../store/store.ts';
import { turns } from '../store/turns.ts';
import { described, told, type Placed } from './backup-answers.ts';
import { createSecondPlace, type PlaceMemory } from './second-place.ts';
import { thin } from './thinning.ts';

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
  /** Writes everything into a file, checks it, and removes all records; answers the file's bytes. */
  empty(backup: string, doer: Doer): Promise<number>;
}

/** Runs work each time so many milliseconds have gone; answers how to stop. */
export type Every = (milliseconds: number, work: () => void) => () => void;

export interface BackupParts {
  readonly dataDir: string;
  readonly records: CopiedRecords;
  readonly workspace: Copied & PlaceMemory;
  /** The records that no restore brings back; none where absent. */
  readonly erased?: () => readonly Erasing[];
  readonly log: (line: string) => void;
  readonly clock?: () => number;
  readonly every?: Every;
  /** Milliseconds that a stop waits for a backup; the desktop application ends a server that takes three seconds. */
  readonly stopPatience?: number;
}

export type Backups = ReturnType<typeof createBackups>;

/** What was put in place, and the records that were left out of it. */
interface Put {
  readonly copy: Placed;
  readonly leftOut: readonly string[];
}

const quarter = 15 * 60 * 1000;

/** The real one; a server that ends does not wait for it. */
export const onTimer: Every = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

export function createBackups({ dataDir, records, workspace, log, ...given }: BackupParts) {
  const { clock = Date.now, every = onTimer, erased = () => [], stopPatience = 1500 } = given;
  const path = join(dataDir, 'records.db');
  const inTurn = turns();
  let begun = false;
  let closed = false;
  const clockwork = [
    { database: records, path },
    { database: workspace, path: join(dataDir, 'workspace.db') },
  ];
  const paths = clockwork.map((one) => one.path);
  const second = createSecondPlace({ dataDir, paths, memory: workspace, log, clock });

  /** Each copy of a backup of the records, those of the first place in front. */
  function copies(): readonly Placed[] {
    const there = second.list(path);
    const copied = new Set(there.map(({ name }) => name));
    return [
      ...listBackups(path).map((one) => ({ ...one, place: 'first' as const, copied: copied.has(one.name) })),
      ...there.map((one) => ({ ...one, place: 'second' as const, copied: true })),
    ];
  }

  /** All backups of the records, each once, newest first. */
  function all(): readonly Placed[] {
    const byName = new Map(
      copies()
        .map((one) => [one.name, one] as const)
        .toReversed(),
    );
    return newestFirst([...byName.values()]);
  }

  const found = async (is: (one: Placed) => boolean): Promise<Backup> => {
    const one = copies().find(is);
    const backup = one && (await described(one));
    if (!backup) throw new FhirError('exception', { text: 'The backup was removed by another program.' });
    return backup;
  };

  /** Where the next backup of a database goes, numbered behind those of both places. */
  const nextPath = (of: string, kind: BackupKind) => backupPath(of, kind, clock(), second.list(of));

  async function make(database: Copied, of: string, kind: BackupKind, doer?: Doer): Promise<string> {
    const backup = nextPath(of, kind);
    await database.backUp(backup, doer);
    await thin(of, clock());
    return backup;
  }

  /** True if the newest copy is older than a quarter of an hour; one of a time to come was made by another clock. */
  function isDue(of: string): boolean {
    const age = clock() - (newestCopy(of)?.time ?? -Infinity);
    return age < 0 || age >= quarter;
  }

  /** Copies what has changed since the newest backup; one that cannot be copied is told and tried again. */
  const tick = (isWanted: (of: string) => boolean = () => true) =>
    inTurn(async () => {
      for (const one of clockwork) {
        if (closed || !isWanted(one.path)) continue;
        if (!(await one.database.changedSince(newestCopy(one.path)?.path))) continue;
        await make(one.database, one.path, 'timed');
      }
    })
      .catch((error: unknown) => {
        if (closed) return;
        log(`no backup was made: ${error instanceof DataFolderError ? error.message : 'an unknown fault'}`);
      })
      .then(() => (closed ? undefined : second.catchUp()));
  const stop = every(quarter, () => void tick());

  /** Has the second place catch up, and waits for it no longer than a person would. */
  const caughtUp = () => within(patience, second.catchUp());

  const list = async (): Promise<BackupList> => {
    await caughtUp();
    const backups = await Promise.all(all().map(described));
    return {
      folder: backupsOf(path),
      backups: backups.flatMap((one) => one ?? []),
      skipped: skippedBackups(path).map(({ name }) => name),
      secondPlace: second.status(path),
    };
  };

  /** Puts the first good one of these copies of one backup in place. */
  async function restoreOf(ofOne: readonly Placed[], before: string, doer: Doer): Promise<Put> {
    let fault: unknown;
    for (const copy of ofOne) {
      try {
        return { copy, leftOut: await records.restore(copy.path, before, doer, erased()) };
      } catch (error) {
        fault ??= error;
      }
    }
    throw fault;
  }

  /** The fault, with the name of the next backup that is good: an older one, else the newest. */
  async function withNext(fault: unknown, { name }: NamedBackup): Promise<unknown> {
    if (!isOfBackup(fault)) return fault;
    const next = await nextGood(all(), name, recordMigrations);
    const way = next ? `The next good one is ${next.name}.` : 'None of the others is good.';
    return new DataFolderError(fault.fault, `${fault.message} ${way}`, { cause: fault });
  }

  return {
    list,

    /** What lies in the second place, as it was last seen. */
    second: () => second.seen(),

    /** Makes a backup of the records now, and copies it to the second place where that is there. */
    make: (doer: Doer): Promise<Backup> =>
      inTurn(async () => {
        const made = await make(records, path, 'asked', doer);
        // Looked at in turn: those that are made behind it may push it out.
        return found((one) => one.path === made);
      })
        .then(async (backup) => {
          await caughtUp();
          return { ...backup, copied: second.list(path).some(({ name }) => name === backup.name) };
        })
        .catch(told),

    /**
     * Removes all records behind a backup of them.
     *
     * @throws FhirError where no backup could be made; then nothing was removed.
     */
    empty: (doer: Doer): Promise<{ path: string; bytes: number }> =>
      inTurn(async () => {
        const before = nextPath(path, 'reset');
        await records.empty(before, doer);
        await thin(path, clock());
        const { bytes } = await found((one) => one.path === before);
        return { path: before, bytes };
      })
        .finally(() => void second.catchUp())
        .catch(told),

    /**
     * Puts a backup of the list in the place of the records, and keeps those as a backup too. Where the copy in the first
     * place is not good, the one in the second is taken.
     *
     * @throws FhirError `not-found` where the list has no such name, `backup-damaged` where its texts are damaged and it
     * does not say so, `unprocessable` where it is not good otherwise; both name the next good one.
     */
    async restore(name: string, doer: Doer): Promise<BackupRestored> {
      await caughtUp();
      return inTurn(async () => {
        const named = copies().filter((one) => one.name === name);
        const [chosen] = named;
        if (!chosen) throw new FhirError('not-found', { text: 'There is no backup of this name.' });
        const before = nextPath(path, 'restore');
        const { copy, leftOut } = await restoreOf(named, before, doer).catch(async (error: unknown) => {
          throw await withNext(error, chosen);
        });
        const restored = await found(({ path: of }) => of === copy.path);
        await thin(path, clock());
        const kept = await found(({ path: of }) => of === before);
        return { restored, before: kept, erased: [...leftOut] };
      })
        .finally(() => void second.catchUp())
        .catch(told);
    },

    /**
     * Takes a folder as the second place, null for none, and has it caught up.
     *
     * @throws FhirError `unprocessable` where the folder cannot be one.
     */
    async useSecondPlace(folder: string | null): Promise<BackupList> {
      await second.use(folder);
      return list();
    },

    /** Takes the folder of the command line as the second place, where it is not already, and names what is skipped. */
    async atStart(folder: string | undefined): Promise<void> {
      if (folder !== undefined && workspace.secondPlace()?.folder !== folder) await second.use(folder);
      for (const { name } of paths.flatMap(skippedBackups)) log(`${name} is not a file and is skipped.`);
      void second.catchUp();
    },

    /** Resolves once the work under way has ended. */
    idle: async (): Promise<void> => {
      await inTurn(() => undefined);
      await second.catchUp();
    },

    /** Makes what is due since a session that ended before its quarter of an hour did, and again at the end of this one. */
    begin(): Promise<void> {
      begun = true;
      return tick(isDue);
    },

    /**
     * Makes what is due, and begins nothing more. A backup that takes longer than a stop may ends with the database, and
     * its draft with the next start, which makes it.
     */
    async close(): Promise<void> {
      stop();
      if (begun) await within(stopPatience, tick(isDue));
      closed = true;
      second.close();
    },
  };
}

/** Milliseconds that an answer waits for the second place. */
const patience = 2000;

/** The newest backup that a copy would follow; what a restore put aside is of another line of writes. */
function newestCopy(of: string): NamedBackup | undefined {
  const [newest] = listBackups(of);
  return newest?.kind === 'restore' || newest?.kind === 'replaced' ? undefined : newest;
}

/** Resolves with the work, or without it once so many milliseconds have gone. */
export async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  const waited = setTimeout(milliseconds, undefined, { signal: end.signal });
  await Promise.race([work, waited.catch(() => undefined)]);
  end.abort();
}
