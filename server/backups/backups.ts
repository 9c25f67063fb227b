/**
 * Backups of a served data folder: by the clock, on request, and back in place. Called by the routes and by the start.
 * Invariant: one after another, so that no two of them meet; what is listed is whole.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Backup, BackupKind, BackupList, BackupRestored } from '../../core/app/backups.ts';
import { FhirError, type FaultKind } from '../../core/fhir/outcome.ts';
import {
  backupPath,
  backupsOf,
  listBackups,
  removeBackup,
  type NamedBackup,
} from '../store/sqlite/backup-folder.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';
import { manifestIn } from '../store/sqlite/manifest.ts';
import { recordMigrations } from '../store/sqlite/migrations.ts';
import { isOfBackup, nextGood } from '../store/sqlite/restore.ts';
import { saysFull } from '../store/store-error.ts';
import type { Doer, Erasing } from '../store/store.ts';
import { turns } from '../store/turns.ts';
import { createSecondPlace, type PlaceMemory } from './second-place.ts';
import { removable } from './thinning.ts';

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
  readonly workspace: Copied & PlaceMemory;
  /** The records that no restore brings back; none where absent. */
  readonly erased?: () => readonly Erasing[];
  readonly log: (line: string) => void;
  readonly clock?: () => number;
  readonly every?: Every;
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
  const { clock = Date.now, every = onTimer, erased = () => [] } = given;
  const path = join(dataDir, 'records.db');
  const inTurn = turns();
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
    return [...byName.values()].toSorted((one, other) => other.time - one.time);
  }

  const found = async (is: (one: Placed) => boolean): Promise<Backup> => {
    const one = copies().find(is);
    const backup = one && (await described(one));
    if (!backup) throw new FhirError('exception', { text: 'The backup was removed by another program.' });
    return backup;
  };

  async function make(database: Copied, of: string, kind: BackupKind, doer?: Doer): Promise<string> {
    const time = clock();
    const backup = backupPath(of, kind, time);
    await database.backUp(backup, doer);
    await thin(of, time);
    return backup;
  }

  /** Copies what has changed since the newest backup; one that cannot be copied is told and tried again. */
  const tick = () =>
    inTurn(async () => {
      for (const one of clockwork) {
        if (!(await one.database.changedSince(newestCopy(one.path)))) continue;
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
  async function withNext(fault: unknown, { name, time }: NamedBackup): Promise<unknown> {
    if (!isOfBackup(fault)) return fault;
    const others = all().filter((one) => one.name !== name);
    const next = await nextGood(others, time, recordMigrations);
    const way = next ? `The next good one is ${next.name}.` : 'None of the others is good.';
    return new DataFolderError(fault.fault, `${fault.message} ${way}`, { cause: fault });
  }

  return {
    list,

    /** What lies in the second place, as it was last seen. */
    second: () => second.seen(),

    /** Makes a backup of the records now, and copies it to the second place where that is there. */
    make: (doer: Doer): Promise<Backup> =>
      inTurn(() => make(records, path, 'asked', doer))
        .then(async (made) => {
          await caughtUp();
          return found((one) => one.path === made);
        })
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
        const time = clock();
        const before = backupPath(path, 'restore', time);
        const { copy, leftOut } = await restoreOf(named, before, doer).catch(async (error: unknown) => {
          throw await withNext(error, chosen);
        });
        const restored = await found(({ path: of }) => of === copy.path);
        const kept = await found(({ path: of }) => of === before);
        await thin(path, time);
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

    /** Takes the folder of the command line as the second place, where it is not already. */
    async atStart(folder: string | undefined): Promise<void> {
      if (folder !== undefined && workspace.secondPlace()?.folder !== folder) await second.use(folder);
      void second.catchUp();
    },

    /** Resolves once the work under way has ended. */
    idle: async (): Promise<void> => {
      await inTurn(() => undefined);
      await second.catchUp();
    },

    /** Begins nothing more; a backup under way ends with the database, and its draft with the next start. */
    close(): void {
      closed = true;
      stop();
      second.close();
    },
  };
}

type Placed = NamedBackup & Pick<Backup, 'place' | 'copied'>;

/** Milliseconds that an answer waits for the second place. */
const patience = 2000;

/** Path of the newest backup that a copy would follow; what a restore put aside is of another line of writes. */
function newestCopy(of: string): string | undefined {
  const [newest] = listBackups(of);
  return newest?.kind === 'restore' || newest?.kind === 'replaced' ? undefined : newest?.path;
}

/** Removes the backups of a database that are no longer needed, but for those that alone hold a text whole. */
export async function thin(path: string, now: number): Promise<void> {
  for (const one of await removable(listBackups(path), now)) removeBackup(one.path);
}

async function described({ name, path, time, kind, place, copied }: Placed): Promise<Backup | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (!file) return undefined;
  const compared = await manifestIn(path);
  return { name, time: new Date(time).toISOString(), bytes: file.size, kind, place, copied, compared };
}

/** Resolves with the work, or without it once so many milliseconds have gone. */
export async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  const waited = setTimeout(milliseconds, undefined, { signal: end.signal, ref: false });
  await Promise.race([work, waited.catch(() => undefined)]);
  end.abort();
}

/** Turns what the store says of files into an answer. */
function told(error: unknown): never {
  if (!(error instanceof DataFolderError)) throw error;
  const kind = error.fault === 'rotten-backup' ? 'backup-damaged' : kindOf(error.cause);
  throw new FhirError(kind, { text: error.message });
}

function kindOf(cause: unknown): FaultKind {
  if (saysFull(cause)) return 'disk-full';
  return cause instanceof DataFolderError ? 'unprocessable' : 'exception';
}
