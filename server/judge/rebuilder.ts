/**
 * Has the store make its derived rows anew in the background: where its derivations changed, and where the day of a
 * record's findings has come. Called by the start of the server. Invariant: one slice at a time, and others have their
 * turn between two.
 */
import { dayOf } from '../../core/derive/derive.ts';
import type { SharedStore } from '../store/store.ts';
import { createBackground, type BackgroundGiven } from './background.ts';

export interface RebuilderParts extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'derived' | 'leases' | 'beginBulk'>;
  readonly clock: () => number;
  /** Called whenever nothing is left to do, once a day at least. */
  readonly settled?: () => Promise<void>;
}

export type Rebuilder = ReturnType<typeof createRebuilder>;

/** Milliseconds of work before others have their turn: they wait as long again for the commit, and for what else came. */
const slice = 8;

export function createRebuilder({ store, clock, pace, every, log, moved, settled }: RebuilderParts) {
  /** The day on which nothing was left to do; undefined where something may be. */
  let done: string | undefined;

  const background = createBackground({
    store,
    leased: ['derived'],
    async step() {
      const now = clock();
      if (await store.derived.step({ now, milliseconds: slice })) {
        done = undefined;
        return true;
      }
      if (done !== dayOf(now)) await settled?.();
      done = dayOf(now);
      return false;
    },
    // A clock that is asked each minute knows of midnight behind a night in which the machine slept.
    isDue: () => done !== dayOf(clock()),
    ...{ pace, every, log, moved, failed: 'derived rows were not made anew' },
  });

  function wake(): void {
    done = undefined;
    background.wake();
  }

  store.derived.onOpened(wake);

  return {
    ...background,
    wake,

    /** Judges all records anew. */
    async judgeAgain(): Promise<void> {
      await store.derived.renew('rules', clock());
      wake();
    },
  };
}
