import { FhirError } from '../../core/fhir/outcome.ts';
import type { CompanionStore } from '../store/companions.ts';
import type { BesideSource } from './profiles.ts';

/** What records refer to, of the companions of this store; `own` is the address of its records. One that is damaged is not at hand. */
export function besideOf(companions: CompanionStore, own: () => string): BesideSource {
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
