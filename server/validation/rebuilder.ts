/**
 * Rebuilds derived rows in the background: after a change of the derivations, and when a date changes the
 * findings of a record. Called at server start. Invariant: one batch at a time, and other requests run
 * between two batches.
 */
import { dayOf } from '../../core/derive/derive.ts';
import type { SharedStore } from '../store/store.ts';
import { createBackground, type BackgroundGiven } from '../background/background.ts';

export interface RebuilderParts extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'derived' | 'leases' | 'startBulk'>;
  readonly clock: () => number;
  /** Called when no work remains, at least once a day. */
  readonly onSettled?: () => Promise<void>;
}

export type Rebuilder = ReturnType<typeof createRebuilder>;

/** Milliseconds of work per batch. Other requests wait as long again for the commit. */
const slice = 8;

export function createRebuilder({ onSettled, ...parts }: RebuilderParts) {
  const { store, clock } = parts;
  /** Day on which no work remained; undefined if there may be some. */
  let done: string | undefined;

  const background = createBackground({
    ...parts,
    leased: ['derived'],
    async step() {
      const now = clock();
      if (await store.derived.runSlice({ now, milliseconds: slice })) {
        done = undefined;
        return true;
      }
      if (done !== dayOf(now)) await onSettled?.();
      done = dayOf(now);
      return false;
    },
    // Polled every minute, because a sleeping computer misses a timer at midnight.
    isDue: () => store.leases.shared || done !== dayOf(clock()),
    failureMessage: 'derived rows were not rebuilt',
  });

  function wake(): void {
    done = undefined;
    background.wake();
  }

  store.derived.onOpened(wake);

  return {
    ...background,
    wake,

    /** Validates all records again. */
    async revalidateAll(): Promise<void> {
      await store.derived.startRebuild('rules', clock());
      wake();
    },
  };
}
