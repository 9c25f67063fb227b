import { FhirError } from '../../core/fhir/outcome.ts';
import type { CompanionStore } from './companions.ts';

/** Of a store that keeps records alone. */
export const noCompanions: CompanionStore = {
  keep: () => Promise.reject(notKept()),
  fateOf() {
    throw notKept();
  },
  read: () => undefined,
  resolve: () => undefined,
  stamp: () => '',
  onChange: () => undefined,
  counts: () => [],
  names: () => [],
  remove: () => Promise.resolve(0),
};

function notKept(): FhirError {
  return new FhirError('not-built', {
    text: 'A shared store keeps records alone: what comes with them and is none is left out.',
  });
}
