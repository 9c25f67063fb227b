import { resourceTypes } from '../../../core/fhir/resource.ts';
import type { Criteria } from './criteria.ts';

/** A search that asks for less than one that found nothing. */
export interface Looser {
  readonly reason: 'anyForm' | 'elsewhere' | 'looser' | 'otherType';
  readonly criteria: Criteria;
}

/** What to try where nothing was found: any form of the ids, other encounters, no further parameters, the other types. */
export function loosened(criteria: Criteria): readonly Looser[] {
  const { type, patient, encounter } = criteria;
  const plain: Criteria = { ...criteria, more: [] };
  const offers: Looser[] = [];
  if (criteria.exactPatient || criteria.exactEncounter) {
    const anyForm = { ...criteria, exactPatient: false, exactEncounter: false };
    offers.push({ reason: 'anyForm', criteria: anyForm });
  }
  if (patient !== '' && encounter !== '') {
    offers.push({ reason: 'elsewhere', criteria: { ...plain, encounter: '' } });
  }
  if (criteria.more.length > 0) offers.push({ reason: 'looser', criteria: plain });
  if (patient === '') return offers;
  for (const other of resourceTypes.filter((one) => one !== type)) {
    offers.push({ reason: 'otherType', criteria: { ...plain, type: other, encounter: '' } });
  }
  return offers;
}
