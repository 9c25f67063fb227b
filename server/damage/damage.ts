/**
 * server/damage: stored texts that fail their checksums, found by requests and the scrub. Called by the
 * routes and the start.
 *
 * Invariant: listed versions are still damaged.
 */
import type {
  DamagedVersion,
  DamageList,
  DamageState,
  IntactCopy,
  ScrubState,
} from '../../core/app/damage.ts';
import type { VersionName } from '../store/checksum.ts';
import type { DamageStore, Looked } from '../store/damage.ts';
import type { Leases } from '../store/leases.ts';
import type { DamageNotes, NotedDamage, Scrub } from '../workspace/damage-notes.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { createBackground, type ScheduleEvery } from '../background/background.ts';

export interface DamageDependencies extends Omit<ScrubDependencies, 'damage' | 'leases' | 'notes'> {
  readonly store: { readonly damage: DamageStore; readonly leases: Leases };
  readonly notes: DamageNotes;
  /** Returns the backups with an intact copy of each version or of its predecessor. No backups if omitted. */
  readonly listCopies?: (names: readonly VersionName[]) => Promise<readonly (readonly IntactCopy[])[]>;
}

export type Damage = ReturnType<typeof createDamage>;

/** Limit of listed versions. Beyond it, a full restore is the way to repair. */
const maxListed = 500;

export function createDamage({
  store,
  notes,
  listCopies: copiesOf = listNoCopies,
  ...options
}: DamageDependencies) {
  const { clock, log } = options;
  let pending: NotedDamage[] = [];
  const scrub = createScrub({ damage: store.damage, leases: store.leases, notes, ...options });

  store.damage.onNoticed(({ type, id, version }) => {
    const notedDamage = { type, id, version, noticed: clock() };
    if (notes.has(notedDamage) || pending.some((pendingDamage) => isSame(pendingDamage, notedDamage))) return;
    // Saved later, because the reader is in the middle of a response or commit.
    if (pending.length === 0) {
      if (notes.isEmpty()) log('a stored text is damaged; see /app/damage, or run chartkeeper repair');
      globalThis.setImmediate(save);
    }
    pending.push(notedDamage);
  });

  function listNoted(): readonly NotedDamage[] {
    return [...notes.all(), ...pending];
  }

  function save(): void {
    try {
      notes.add(pending);
    } catch {
      // The disk is not writable. The next scrub finds the damage again.
    }
    pending = [];
  }

  /** Returns versions that are still damaged and removes the others from the list. */
  async function listCurrent(): Promise<{ readonly notedDamage: NotedDamage; readonly current: boolean }[]> {
    const candidates = listNoted().slice(0, maxListed);
    const states = candidates.length === 0 ? [] : await store.damage.statesOf(candidates);
    return candidates.flatMap((notedDamage, index) => {
      const state = states[index];
      if (state) return [{ notedDamage, current: state === 'current' }];
      notes.remove(notedDamage);
      return [];
    });
  }

  return {
    async list(): Promise<DamageList> {
      const currentDamage = await listCurrent();
      const copies = await copiesOf(currentDamage.map(({ notedDamage }) => notedDamage));
      const records = currentDamage.map(
        ({ notedDamage: { type, id, version, noticed: noticedAtMs }, current }, index): DamagedVersion => ({
          type,
          id,
          version,
          current,
          noticed: new Date(noticedAtMs).toISOString(),
          backups: (copies[index] ?? []).toSorted(
            (leftCopy, rightCopy) => rightCopy.version - leftCopy.version,
          ),
        }),
      );
      return { scrub: scrub.state(), records };
    },

    async state(): Promise<DamageState> {
      return { records: (await listCurrent()).filter(({ current }) => current).length, scrub: scrub.state() };
    },

    /** Returns the noted versions of a record, repaired or not. */
    listNotedVersions: (type: string, id: string): readonly VersionName[] =>
      listNoted().filter((notedDamage) => notedDamage.type === type && notedDamage.id === id),

    /** Restarts the scrub at the first text. */
    scrub: (): void => scrub.begin(),

    /** Resolves when no scrub is running. */
    idle: () => scrub.idle(),

    /** Stops after the current slice. The next start continues. */
    async close(): Promise<void> {
      await scrub.close();
      save();
    },
  };
}

function isSame(leftName: VersionName, rightName: VersionName): boolean {
  return (
    leftName.type === rightName.type && leftName.id === rightName.id && leftName.version === rightName.version
  );
}

function listNoCopies(): Promise<readonly (readonly IntactCopy[])[]> {
  return Promise.resolve([]);
}

interface ScrubDependencies {
  readonly damage: Pick<DamageStore, 'lastPlace' | 'look'>;
  readonly leases: Leases;
  readonly notes: Pick<DamageNotes, 'scrub' | 'saveScrub'>;
  readonly clock: () => number;
  readonly scheduleEvery: ScheduleEvery;
  readonly log: (line: string) => void;
  /** Subscribes to replacements of the database. Never called if omitted. */
  readonly onOpened?: (listener: () => void) => void;
}

/** Milliseconds of one slice, and of the pause that follows. */
const sliceMs = 4;
const pauseMs = 16;

/** Milliseconds between two saves of the progress. */
const saveIntervalMs = 1000;

const day = 24 * 60 * 60_000;

type Running = NonNullable<Scrub['running']>;

/**
 * Creates the scrub, which verifies the checksum of every text once a day in slices.
 *
 * A stopped scrub continues later. Servers with a shared store scrub one at a time.
 */
export function createScrub({ damage, leases, notes, clock, onOpened, ...parts }: ScrubDependencies) {
  /** State of the scrub on this server that is not saved yet. */
  let progress: Scrub | undefined;
  let mustRestart = false;
  const isRestartDue = () => mustRestart;
  let savedAtMs = -Infinity;

  const state = (): Scrub => progress ?? notes.scrub();

  function save(): void {
    if (progress) notes.saveScrub(progress);
    savedAtMs = performance.now();
  }

  /** Forgets the progress on this server. Another server or a later run continues from the saved place. */
  function leave(): void {
    progress = undefined;
    mustRestart = false;
  }

  const isDue = (): boolean => {
    const { running, ended: lastResult } = notes.scrub();
    return running !== undefined || lastResult === undefined || clock() - lastResult.time >= day;
  };

  async function step(): Promise<boolean> {
    if (!mustRestart && !progress && !isDue()) return false;
    const running =
      (mustRestart ? undefined : state().running) ??
      ({ place: 0, last: await damage.lastPlace(), read: 0, found: 0 } satisfies Running);
    mustRestart = false;
    const sliceResult = await damage.look(running.place, sliceMs);
    if (isRestartDue()) return true;
    progress = addSlice({ ...state(), running }, sliceResult, clock());
    const hasMore = progress.running !== undefined;
    if (!hasMore || performance.now() > savedAtMs + saveIntervalMs) save();
    if (hasMore) await pause(pauseMs, undefined, { ref: false });
    else leave();
    return hasMore;
  }

  const background = createBackground({
    ...parts,
    store: { leases },
    leased: ['scrub'],
    step,
    isDue,
    onRefused: leave,
    failureMessage: 'stored texts were not read to their end',
    onFailure: leave,
  });

  function begin(): void {
    mustRestart = true;
    progress = { ...notes.scrub(), running: { place: 0, last: 0, read: 0, found: 0 } };
    background.wake();
  }

  // Places are valid within one file only.
  onOpened?.(() => {
    if (state().running) begin();
  });

  return {
    begin,

    state(): ScrubState {
      const { ended: lastResult, running } = state();
      const { time, read: readCount = 0, found: foundCount = 0 } = lastResult ?? {};
      return {
        ended: time === undefined ? null : new Date(time).toISOString(),
        read: readCount,
        found: foundCount,
        running: running ? { done: running.place, total: Math.max(running.last, running.place) } : null,
      };
    },

    idle: background.idle,

    async close(): Promise<void> {
      await background.close();
      try {
        save();
      } catch {
        // The disk is not writable. The next scrub continues from the last saved place.
      }
    },
  };
}

/** Returns the progress after another slice. */
function addSlice(
  { running, ...state }: Scrub & { readonly running: Running },
  { place, readCount, damagedCount, isFinished }: Looked,
  time: number,
): Scrub {
  const sum = { read: running.read + readCount, found: running.found + damagedCount };
  return isFinished ? { ended: { time, ...sum } } : { ...state, running: { ...running, place, ...sum } };
}
