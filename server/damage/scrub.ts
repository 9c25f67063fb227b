import { setTimeout as pause } from 'node:timers/promises';
import type { ScrubState } from '../../core/app/damage.ts';
import type { Every } from '../backups/backups.ts';
import type { RecordStore } from '../store/store.ts';
import type { DamageNotes } from '../workspace/damage-notes.ts';

export interface ScrubParts {
  readonly store: Pick<RecordStore, 'damage' | 'derived'>;
  readonly notes: Pick<DamageNotes, 'scrub' | 'saveScrub'>;
  readonly clock: () => number;
  readonly every: Every;
  readonly log: (line: string) => void;
}

/** Milliseconds of reading before others have their turn, and for which they then have it alone. */
const slice = 4;
const rest = 16;

/** Milliseconds after which it is noted how far the scrub is. */
const noteEvery = 1000;

const minute = 60_000;
const day = 24 * 60 * minute;

/** Reads every text against its checksum once a day, in slices; one that was stopped goes on where it was. */
export function createScrub({ store, notes, clock, every, log }: ScrubParts) {
  let { running, ended } = notes.scrub();
  let work: Promise<void> | undefined;
  let closed = false;

  function note(): void {
    notes.saveScrub({ ...(running && { running }), ...(ended && { ended }) });
  }

  function begin(): void {
    running = { place: 0, last: store.damage.lastPlace(), read: 0, found: 0 };
    wake();
  }

  function wake(): void {
    work ??= run().finally(() => {
      work = undefined;
    });
  }

  async function run(): Promise<void> {
    let noted = performance.now();
    try {
      while (running && !closed) {
        const { place, read, found, ended: through } = store.damage.look(running.place, slice);
        running = { ...running, place, read: running.read + read, found: running.found + found };
        if (through) {
          ended = { time: clock(), read: running.read, found: running.found };
          running = undefined;
        }
        if (through || performance.now() > noted + noteEvery) {
          note();
          noted = performance.now();
        }
        if (running) await pause(rest, undefined, { ref: false });
      }
      if (running) note();
    } catch (error) {
      // What a disk stopped goes on where it was, in a minute.
      const fault = error instanceof Error ? error.name : typeof error;
      if (!closed) log(`stored texts were not read to their end (${fault}); tried again in a minute`);
    }
  }

  const stop = every(minute, () => {
    if (running) wake();
    else if (ended === undefined || clock() - ended.time >= day) begin();
  });
  // Places are those of one file.
  store.derived.onOpened(() => {
    if (running) begin();
  });

  return {
    begin,

    state(): ScrubState {
      const { time, read = 0, found = 0 } = ended ?? {};
      return {
        ended: time === undefined ? null : new Date(time).toISOString(),
        ...{ read, found },
        running: running ? { done: running.place, total: Math.max(running.last, running.place) } : null,
      };
    },

    async idle(): Promise<void> {
      while (work) await work;
    },

    async close(): Promise<void> {
      closed = true;
      stop();
      await work;
    },
  };
}
