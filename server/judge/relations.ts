/**
 * Looks again and again for what is wrong between records, behind what is written. Called by the start of the server.
 * Invariant: what stands is what the last look found; a look reads index rows in a thread beside, and the more it takes the
 * seldomer it is.
 */
import { dayNumber } from '../../core/app/days.ts';
import type { Every } from '../backups/backups.ts';
import type { RecordStore } from '../store/store.ts';
import type { Pace } from './pace.ts';
import { createBackground } from './background.ts';

export interface RelationParts {
  readonly store: Pick<RecordStore, 'relations' | 'derived' | 'beginBulk'>;
  readonly clock: () => number;
  readonly pace: Pick<Pace, 'slice'>;
  readonly every: Every;
  readonly log: (line: string) => void;
}

/** Milliseconds behind a write before the next look, and for how many times as long as it took the last one holds. */
const pause = { least: 1000, times: 20 };

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

export function createRelations({ store, clock, pace, every, log }: RelationParts) {
  let last: Look = { took: 0, ended: -Infinity };
  type Found = Awaited<ReturnType<RecordStore['relations']['find']>>[number];
  /** What a look found, and the records of which it is still to be written. */
  let look:
    | { readonly found: ReadonlyMap<number, readonly Found[]>; left: readonly number[]; changed: boolean }
    | undefined;

  async function begin() {
    const started = performance.now();
    const all = await store.relations.find();
    last = { took: performance.now() - started, ended: performance.now() };
    const found = Map.groupBy(all, ({ record }) => record);
    return { found, left: [...new Set([...found.keys(), ...store.relations.standing()])], changed: false };
  }

  async function step(): Promise<boolean> {
    look ??= await begin();
    const now = look.left.slice(0, atOnce);
    if (await store.relations.write(now, look.found, dayNumber(clock()))) look.changed = true;
    look.left = look.left.slice(atOnce);
    if (look.left.length > 0) return true;
    if (look.changed) store.relations.changed();
    look = undefined;
    return false;
  }

  const background = createBackground({
    ...{ begin: () => store.beginBulk(), step, isDue: () => false, pace, every, log },
    failed: 'relations between records were not looked at',
  });
  store.derived.onOpened(() => {
    look = undefined;
    background.wake();
  });

  return {
    ...background,

    /** A version was stored: what comes together is looked at together. */
    stored: () => background.wakeSoon(untilNext(last, performance.now())),
  };
}
