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
import { createRelations } from './relations.ts';

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

    /** A version was stored. */
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
        return (await supportingResources.resolve(reference, getBaseUrl()))?.text;
      } catch (error) {
        if (error instanceof FhirError && error.kind === 'damaged') return undefined;
        throw error;
      }
    },
    stamp: () => supportingResources.getFingerprint(),
  };
}
