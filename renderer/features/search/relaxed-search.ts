import { resourceTypes } from '../../../core/fhir/resource.ts';
import type { Criteria } from './criteria.ts';

/** A search with fewer criteria than a search without matches. */
export interface RelaxedSearch {
  readonly reason: 'anyForm' | 'elsewhere' | 'looser' | 'otherType';
  readonly criteria: Criteria;
}

/** Returns searches to try after no match: any ID form, other encounters, no further parameters, other types. */
export function relaxSearch(criteria: Criteria): readonly RelaxedSearch[] {
  const { type, patient, encounter } = criteria;
  const plain: Criteria = { ...criteria, more: [] };
  const offers: RelaxedSearch[] = [];
  if (criteria.exactPatient || criteria.exactEncounter) {
    const anyForm = { ...criteria, exactPatient: false, exactEncounter: false };
    offers.push({ reason: 'anyForm', criteria: anyForm });
  }
  if (patient !== '' && encounter !== '') {
    offers.push({ reason: 'elsewhere', criteria: { ...plain, encounter: '' } });
  }
  if (criteria.more.length > 0) offers.push({ reason: 'looser', criteria: plain });
  if (patient === '') return offers;
  for (const otherType of resourceTypes.filter((candidate) => candidate !== type)) {
    offers.push({ reason: 'otherType', criteria: { ...plain, type: otherType, encounter: '' } });
  }
  return offers;
}
