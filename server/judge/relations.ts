/**
 * Looks again and again for what is wrong between records, behind what is written. Called by the start of the server.
 * Invariant: what stands is what the last look found; a look reads index rows in a thread beside, and the more it takes the
 * seldomer it is.
 */
import { dayNumber } from '../../core/app/days.ts';
import type { FoundRelation } from '../store/relation-sql.ts';
import type { SharedStore } from '../store/store.ts';
import { createBackground, type BackgroundGiven } from './background.ts';

export interface RelationParts extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'relations' | 'derived' | 'leases' | 'beginBulk'>;
  readonly clock: () => number;
}

/** Milliseconds behind a write before the next look, and for how many times as long as it took the last one holds. */
const pause = { least: 1000, times: 20 };

/** Seconds for which a look is one server's: longer than a question over a large store takes. */
const leased = 60;

/** Records that are written in one transaction. */
const atOnce = 100;

/** How long a look took, and when it ended, in milliseconds. */
export interface Look {
  readonly took: number;
  readonly ended: number;
}

/** Milliseconds from a write to the next look. */
export function untilNext({ took, ended }: Look, now: number): number {
  return Math.max(pause.least, ended + took * pause.times - now);
}

/** What a look found, and the records of which it is still to be written. */
interface Looked {
  readonly found: ReadonlyMap<number, readonly FoundRelation[]>;
  left: readonly number[];
  changed: boolean;
}

export function createRelations({ store, clock, pace, every, log, moved }: RelationParts) {
  let last: Look = { took: 0, ended: -Infinity };
  let look: Looked | undefined;
  /** Whether to look though nothing was written: rows were made anew, or the day is another. */
  let anyway = false;

  async function begin(): Promise<Looked | undefined> {
    const started = performance.now();
    const all = await store.relations.find(anyway);
    if (!all) return undefined;
    anyway = false;
    last = { took: performance.now() - started, ended: performance.now() };
    const found = Map.groupBy(all, ({ record }) => record);
    const standing = await store.relations.standing();
    return { found, left: [...new Set([...found.keys(), ...standing])], changed: false };
  }

  async function step(): Promise<boolean> {
    look ??= await begin();
    if (!look) return false;
    const now = look.left.slice(0, atOnce);
    if (await store.relations.write(now, look.found, dayNumber(clock()))) look.changed = true;
    look.left = look.left.slice(atOnce);
    if (look.left.length > 0) return true;
    const { changed } = look;
    look = undefined;
    await store.relations.ended(changed);
    if (changed) moved?.();
    return false;
  }

  const background = createBackground({
    ...{ store, leased: ['relations', leased], step },
    ...{ pace, every, log, failed: 'relations between records were not looked at' },
  });

  function wake(): void {
    anyway = true;
    background.wake();
  }

  store.derived.onOpened(() => {
    look = undefined;
    wake();
  });

  return {
    ...background,
    wake,

    /** A version was stored: what comes together is looked at together. */
    stored: () => background.wakeSoon(untilNext(last, performance.now())),
  };
}
