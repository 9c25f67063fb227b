/**
 * All that judges stored records behind what is asked for: the program's rules, stewards' own checks, and what is wrong
 * between records; each day is measured. Put together for the start of the server.
 */
import { fhirPath } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { createMeasuring } from '../fhir/measuring.ts';
import type { CompanionStore } from '../store/companions.ts';
import type { RecordStore, SharedStore } from '../store/store.ts';
import { createChecks, type CheckParts } from './checks.ts';
import { createProfiles, type BesideSource, type ProfileParts } from './profiles.ts';
import { createRebuilder } from './rebuilder.ts';
import { createRelations } from './relations.ts';

export interface JudgingParts extends Pick<
  CheckParts,
  'definitions' | 'clock' | 'pace' | 'every' | 'log' | 'moved' | 'limits' | 'refresh'
> {
  readonly store: SharedStore & Pick<RecordStore, 'companions'>;
  readonly profiles: Omit<ProfileParts, 'beside'>;
  /** Where this server answers. */
  readonly base: () => string;
}

export type Judging = ReturnType<typeof createJudging>;

export function createJudging(given: JudgingParts) {
  const { store, clock, pace, every, log, moved, profiles: by, base, ...ofChecks } = given;
  const beside = besideOf(store.companions, () => base() + fhirPath);
  const profiles = createProfiles({ ...by, beside });
  const parts = { store, clock, pace, every, log, moved };
  const relations = createRelations(parts);
  const checks = createChecks({ ...parts, ...ofChecks, profiles, settled: () => measuring.measure() });
  store.companions.onChange(() => checks.stored());
  const measuring = createMeasuring({
    store,
    clock,
    others: () => checks.applied(),
    sentences: checks.sentences,
  });
  const rebuilder = createRebuilder({
    ...parts,
    settled: async () => {
      relations.wake();
      await measuring.measure();
    },
  });
  return {
    ...{ rebuilder, checks, profiles, relations, measuring },

    /** A version was stored. */
    stored(): void {
      checks.stored();
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

/** What records refer to, of the companions of this store; `own` is the address of its records. One that is damaged is not at hand. */
function besideOf(companions: CompanionStore, own: () => string): BesideSource {
  return {
    async resolve(reference) {
      try {
        return (await companions.resolve(reference, own()))?.text;
      } catch (error) {
        if (error instanceof FhirError && error.kind === 'damaged') return undefined;
        throw error;
      }
    },
    stamp: () => companions.stamp(),
  };
}
