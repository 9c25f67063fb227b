/**
 * Creates all validation of stored records in the background: program rules, custom checks and problems
 * between records, with the daily measures. Assembled at server start.
 */
import { fhirPath } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { createMeasures } from '../fhir/measuring.ts';
import type { SupportingResourceStore } from '../store/supporting-resources.ts';
import type { RecordStore, SharedStore } from '../store/store.ts';
import { createChecks, type CheckDependencies } from './checks.ts';
import { createProfiles, type ReferenceSource, type ProfileParts } from './profiles.ts';
import { createRebuilder } from './rebuilder.ts';
import { dayNumber } from '../../core/types/definition/dates.ts';
import type { FoundRelation } from '../store/relation-sql.ts';
import { createBackground, type BackgroundGiven } from '../background/background.ts';

export interface JudgingParts extends Pick<
  CheckDependencies,
  'definitions' | 'clock' | 'pace' | 'scheduleEvery' | 'log' | 'onProgress' | 'limits' | 'refresh'
> {
  readonly store: SharedStore & Pick<RecordStore, 'supportingResources'>;
  readonly profiles: Omit<ProfileParts, 'references'>;
  /** Base URL of this server. */
  readonly base: () => string;
}

export type Validation = ReturnType<typeof createValidation>;

export function createValidation({
  profiles: profileOptions,
  base,
  definitions,
  limits,
  refresh,
  ...parts
}: JudgingParts) {
  const { store, clock } = parts;
  const references = createReferenceSource(store.supportingResources, () => base() + fhirPath);
  const profiles = createProfiles({ ...profileOptions, references });
  const relations = createRelations(parts);
  const checks = createChecks({
    ...parts,
    definitions,
    limits,
    refresh,
    profiles,
    onSettled: () => measureService.measure(),
  });
  store.supportingResources.onChange(() => checks.onVersionStored());
  const measureService = createMeasures({
    store,
    clock,
    listAppliedChecks: () => checks.applied(),
    sentences: checks.sentences,
  });
  const rebuilder = createRebuilder({
    ...parts,
    onSettled: async () => {
      relations.wake();
      await measureService.measure();
    },
  });
  return {
    rebuilder,
    checks,
    profiles,
    relations,
    measureService,

    onVersionStored(): void {
      checks.onVersionStored();
      relations.stored();
    },

    wake(): void {
      rebuilder.wake();
      checks.wake();
    },

    async close(): Promise<void> {
      await rebuilder.close();
      await checks.close();
      await profiles.close();
      await relations.close();
    },
  };
}

/**
 * Reads referenced supporting resources of this store. `getBaseUrl` returns the address of its records. A damaged
 * resource counts as not available.
 */
function createReferenceSource(
  supportingResources: SupportingResourceStore,
  getBaseUrl: () => string,
): ReferenceSource {
  return {
    async resolve(reference) {
      try {
        const resource = await supportingResources.resolve(reference, { ownAddress: getBaseUrl() });
        return typeof resource === 'object' ? resource.text : undefined;
      } catch (error) {
        if (error instanceof FhirError && error.kind === 'damaged') return undefined;
        throw error;
      }
    },
    stamp: () => supportingResources.getFingerprint(),
  };
}

// Searches repeatedly for problems between records after writes. Called at server start. Invariants: the stored
// findings are the result of the last pass. A pass reads index rows in a worker; a longer pass makes the next one
// later.

interface RelationParts extends BackgroundGiven {
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
interface Look {
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

function createRelations({ onProgress, ...parts }: RelationParts) {
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
