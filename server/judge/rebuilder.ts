/**
 * Has the store make its derived rows anew in the background: where its derivations changed, and where the day of a
 * record's findings has come. Called by the start of the server. Invariant: one slice at a time, and others have their
 * turn between two.
 */
import { setImmediate } from 'node:timers/promises';
import { dayOf } from '../../core/derive/derive.ts';
import type { Every } from '../backups/backups.ts';
import type { RecordStore } from '../store/store.ts';

export interface RebuilderParts {
  readonly store: Pick<RecordStore, 'derived' | 'beginBulk'>;
  readonly clock: () => number;
  readonly every: Every;
  readonly log: (line: string) => void;
  /** Called whenever nothing is left to do, once a day at least. */
  readonly settled?: () => Promise<void>;
}

export type Rebuilder = ReturnType<typeof createRebuilder>;

/** Milliseconds of work before others have their turn: they wait as long again for the commit, and for what else came. */
const slice = 8;

const minute = 60_000;

export function createRebuilder({ store, clock, every, log, settled }: RebuilderParts) {
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  /** The day on which nothing was left to do; undefined where something may be. */
  let done: string | undefined;

  async function run(): Promise<void> {
    const ended = store.beginBulk();
    try {
      do {
        await setImmediate();
        again = false;
        const now = clock();
        if (await store.derived.step({ now, milliseconds: slice })) again = true;
        else {
          await settled?.();
          done = dayOf(now);
        }
      } while (again && !closed);
    } catch (error) {
      // What a disk or a lock stopped goes on where it was, in a minute.
      again = false;
      const fault = error instanceof Error ? error.name : typeof error;
      if (!closed) log(`derived rows were not made anew (${fault}); tried again in a minute`);
    } finally {
      ended();
      running = undefined;
      if (again && !closed) wake();
    }
  }

  /** Looks whether there is anything to do, and does it. */
  function wake(): void {
    again = true;
    done = undefined;
    running ??= run();
  }

  const stop = every(minute, () => {
    // A clock that is asked each minute knows of midnight behind a night in which the machine slept.
    if (done !== dayOf(clock())) wake();
  });
  store.derived.onOpened(wake);

  return {
    wake,

    /** Judges all records anew. */
    async judgeAgain(): Promise<void> {
      await store.derived.renew('rules', clock());
      wake();
    },

    /** Resolves once nothing is left to do. */
    async idle(): Promise<void> {
      while (running) await running;
    },

    /** Ends behind the slice under way; the next start goes on. */
    async close(): Promise<void> {
      closed = true;
      stop();
      await running;
    },
  };
}
