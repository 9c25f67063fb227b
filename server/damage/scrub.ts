import { setTimeout as pause } from 'node:timers/promises';
import type { ScrubState } from '../../core/app/damage.ts';
import type { Every } from '../backups/backups.ts';
import type { DamageStore, Looked } from '../store/damage.ts';
import type { DamageNotes, Scrub } from '../workspace/damage-notes.ts';

export interface ScrubParts {
  readonly damage: Pick<DamageStore, 'lastPlace' | 'look' | 'alone'>;
  readonly notes: Pick<DamageNotes, 'scrub' | 'saveScrub'>;
  readonly clock: () => number;
  readonly every: Every;
  readonly log: (line: string) => void;
  /** Calls whenever other texts have come into the place of these; never where absent. */
  readonly onOpened?: (listener: () => void) => void;
}

/** Milliseconds of reading before others have their turn, and for which they then have it alone. */
const slice = 4;
const rest = 16;

/** Milliseconds after which it is noted how far the scrub is. */
const noteEvery = 1000;

const minute = 60_000;
const day = 24 * 60 * minute;

type Running = NonNullable<Scrub['running']>;

/**
 * Reads every text against its checksum once a day, in slices; one that was stopped goes on where it was. Of servers that share
 * their texts and notes one does at a time.
 */
export function createScrub({ damage, notes, clock, every, log, onOpened }: ScrubParts) {
  /** How far the one is that this server does. */
  let here: Running | undefined;
  /** How often it was to be begun from the first text, and how often it was. */
  let asked = 0;
  let answered = 0;
  let work: Promise<void> | undefined;
  let closed = false;

  function begin(): void {
    asked += 1;
    here = { place: 0, last: 0, read: 0, found: 0 };
    wake();
  }

  function wake(): void {
    work ??= damage
      .alone(run)
      .catch((error: unknown) => {
        // What a disk stopped goes on where it was, in a minute.
        const fault = error instanceof Error ? error.name : typeof error;
        if (!closed) log(`stored texts were not read to their end (${fault}); tried again in a minute`);
      })
      .finally(() => {
        work = undefined;
        here = undefined;
        answered = asked;
      });
  }

  async function run(): Promise<void> {
    let state = notes.scrub();
    let noted = performance.now();
    try {
      while (!closed) {
        const running =
          (answered === asked ? state.running : undefined) ??
          ({ place: 0, last: await damage.lastPlace(), read: 0, found: 0 } satisfies Running);
        const request = asked;
        answered = request;
        here = running;
        const looked = await damage.look(running.place, slice);
        if (asked !== request) continue;
        state = behind({ ...state, running }, looked, clock());
        if (!state.running) return;
        if (performance.now() > noted + noteEvery) {
          notes.saveScrub(state);
          noted = performance.now();
        }
        await pause(rest, undefined, { ref: false });
      }
    } finally {
      notes.saveScrub(state);
    }
  }

  const stop = every(minute, () => {
    const { running, ended } = notes.scrub();
    if (running) wake();
    else if (ended === undefined || clock() - ended.time >= day) begin();
  });
  // Places are those of one file.
  onOpened?.(() => {
    if (here ?? notes.scrub().running) begin();
  });

  return {
    begin,

    state(): ScrubState {
      const { ended, running } = { ...notes.scrub(), ...(here && { running: here }) };
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

/** How a scrub stands behind a further slice. */
function behind(
  { running, ...state }: Scrub & { readonly running: Running },
  { place, read, found, ended }: Looked,
  time: number,
): Scrub {
  const sum = { read: running.read + read, found: running.found + found };
  return ended ? { ended: { time, ...sum } } : { ...state, running: { ...running, place, ...sum } };
}
