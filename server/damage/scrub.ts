import { setTimeout as pause } from 'node:timers/promises';
import type { ScrubState } from '../../core/app/damage.ts';
import { createBackground, type ScheduleEvery } from '../background/background.ts';
import type { DamageStore, Looked } from '../store/damage.ts';
import type { Leases } from '../store/leases.ts';
import type { DamageNotes, Scrub } from '../workspace/damage-notes.ts';

export interface ScrubDependencies {
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
