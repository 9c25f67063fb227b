import { setTimeout as pause } from 'node:timers/promises';
import type { ScrubState } from '../../core/app/damage.ts';
import type { ScheduleEvery } from '../background/background.ts';
import type { DamageStore, Looked } from '../store/damage.ts';
import type { DamageNotes, Scrub } from '../workspace/damage-notes.ts';

export interface ScrubDependencies {
  readonly damage: Pick<DamageStore, 'lastPlace' | 'look' | 'runExclusively'>;
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

const minute = 60_000;
const day = 24 * 60 * minute;

type Running = NonNullable<Scrub['running']>;

/**
 * Creates the scrub, which verifies the checksum of every text once a day in slices.
 *
 * A stopped scrub continues later. Servers with a shared store scrub one at a time.
 */
export function createScrub({ damage, notes, clock, scheduleEvery, log, onOpened }: ScrubDependencies) {
  /** Progress of the scrub on this server. */
  let progress: Running | undefined;
  /** Numbers of restarts requested and carried out. */
  let requestCount = 0;
  let handledCount = 0;
  let work: Promise<void> | undefined;
  let isClosed = false;

  function begin(): void {
    requestCount += 1;
    progress = { place: 0, last: 0, read: 0, found: 0 };
    wake();
  }

  function wake(): void {
    work ??= damage
      .runExclusively(run)
      .catch((error: unknown) => {
        // After a disk error the scrub continues in a minute.
        const errorName = error instanceof Error ? error.name : typeof error;
        if (!isClosed) log(`stored texts were not read to their end (${errorName}); tried again in a minute`);
      })
      .finally(() => {
        work = undefined;
        progress = undefined;
        handledCount = requestCount;
      });
  }

  async function run(): Promise<void> {
    let state = notes.scrub();
    let savedAtMs = performance.now();
    try {
      while (!isClosed) {
        const running =
          (handledCount === requestCount ? state.running : undefined) ??
          ({ place: 0, last: await damage.lastPlace(), read: 0, found: 0 } satisfies Running);
        const request = requestCount;
        handledCount = request;
        progress = running;
        const sliceResult = await damage.look(running.place, sliceMs);
        if (requestCount !== request) continue;
        state = addSlice({ ...state, running }, sliceResult, clock());
        if (!state.running) return;
        if (performance.now() > savedAtMs + saveIntervalMs) {
          notes.saveScrub(state);
          savedAtMs = performance.now();
        }
        await pause(pauseMs, undefined, { ref: false });
      }
    } finally {
      notes.saveScrub(state);
    }
  }

  const stop = scheduleEvery(minute, () => {
    const { running, ended: lastResult } = notes.scrub();
    if (running) wake();
    else if (lastResult === undefined || clock() - lastResult.time >= day) begin();
  });
  // Places are valid within one file only.
  onOpened?.(() => {
    if (progress ?? notes.scrub().running) begin();
  });

  return {
    begin,

    state(): ScrubState {
      const { ended: lastResult, running } = { ...notes.scrub(), ...(progress && { running: progress }) };
      const { time, read: readCount = 0, found: foundCount = 0 } = lastResult ?? {};
      return {
        ended: time === undefined ? null : new Date(time).toISOString(),
        read: readCount,
        found: foundCount,
        running: running ? { done: running.place, total: Math.max(running.last, running.place) } : null,
      };
    },

    async idle(): Promise<void> {
      while (work) await work;
    },

    async close(): Promise<void> {
      isClosed = true;
      stop();
      await work;
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
