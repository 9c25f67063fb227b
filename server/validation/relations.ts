/**
 * Searches repeatedly for problems between records after writes. Called at server start. Invariants: the stored
 * findings are the result of the last pass. A pass reads index rows in a worker; a longer pass makes the next one
 * later.
 */
import { dayNumber } from '../../core/types/definition/dates.ts';
import type { FoundRelation } from '../store/relation-sql.ts';
import type { SharedStore } from '../store/store.ts';
import { createBackground, type BackgroundGiven } from '../background/background.ts';

export interface RelationParts extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'relations' | 'derived' | 'leases' | 'startBulk'>;
  readonly clock: () => number;
}

/** Milliseconds after a write until the next pass, and the minimum pause as a multiple of the last pass. */
const pause = { least: 1000, times: 20 };

/** Lease in seconds: longer than a query over a large store takes. */
const leased = 60;

/** Records that are written in one transaction. */
const batchSize = 100;

/** How long a look took, and when it ended, in milliseconds. */
export interface Look {
  readonly took: number;
  readonly endedAtMs: number;
}

/** Milliseconds from a write to the next look. */
export function untilNext({ took, endedAtMs }: Look, now: number): number {
  return Math.max(pause.least, endedAtMs + took * pause.times - now);
}

/** Findings of a pass and the records that are not written yet. */
interface Looked {
  readonly relationsByRecord: ReadonlyMap<number, readonly FoundRelation[]>;
  remainingRecords: readonly number[];
  hasChanged: boolean;
}

export function createRelations({ onProgress, ...parts }: RelationParts) {
  const { store, clock } = parts;
  let lastLook: Look = { took: 0, endedAtMs: -Infinity };
  let look: Looked | undefined;
  /** True to search without a write: rows were rebuilt, or the day changed. */
  let anyway = false;

  async function begin(): Promise<Looked | undefined> {
    const startedAtMs = performance.now();
    const relations = await store.relations.find(anyway);
    if (!relations) return undefined;
    anyway = false;
    lastLook = { took: performance.now() - startedAtMs, endedAtMs: performance.now() };
    const relationsByRecord = Map.groupBy(relations, ({ record }) => record);
    const existingFindings = await store.relations.listFlagged();
    return {
      relationsByRecord,
      remainingRecords: [...new Set([...relationsByRecord.keys(), ...existingFindings])],
      hasChanged: false,
    };
  }

  async function step(): Promise<boolean> {
    look ??= await begin();
    if (!look) return false;
    const now = look.remainingRecords.slice(0, batchSize);
    if (await store.relations.write(now, look.relationsByRecord, dayNumber(clock()))) look.hasChanged = true;
    look.remainingRecords = look.remainingRecords.slice(batchSize);
    if (look.remainingRecords.length > 0) return true;
    const { hasChanged } = look;
    look = undefined;
    await store.relations.completeScan(hasChanged);
    if (hasChanged) onProgress?.();
    return false;
  }

  const background = createBackground({
    ...parts,
    leased: ['relations', leased],
    step,
    isDue: () => store.leases.shared,
    failureMessage: 'relations between records were not looked at',
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

    /** Called when a version was stored. Nearby calls share one pass. */
    stored: () => background.wakeSoon(untilNext(lastLook, performance.now())),
  };
}
