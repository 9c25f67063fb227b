import { resourceTypes } from '../../../core/fhir/resource.ts';
import type { Criteria } from './criteria.ts';

/** A search with fewer criteria than a search without matches. */
export interface RelaxedSearch {
  readonly reason: 'anyForm' | 'elsewhere' | 'looser' | 'otherType';
  readonly relaxedCriteria: Criteria;
}

/** Returns searches to try after no match: any ID form, other encounters, no further parameters, other types. */
export function relaxSearch(criteria: Criteria): readonly RelaxedSearch[] {
  const { type, patient, encounter } = criteria;
  const plain: Criteria = { ...criteria, parameters: [] };
  const offers: RelaxedSearch[] = [];
  if (criteria.exactPatient || criteria.exactEncounter) {
    const anyForm = { ...criteria, exactPatient: false, exactEncounter: false };
    offers.push({ reason: 'anyForm', relaxedCriteria: anyForm });
  }
  if (patient !== '' && encounter !== '') {
    offers.push({ reason: 'elsewhere', relaxedCriteria: { ...plain, encounter: '' } });
  }
  if (criteria.parameters.length > 0) offers.push({ reason: 'looser', relaxedCriteria: plain });
  if (patient === '') return offers;
  for (const otherType of resourceTypes.filter((candidate) => candidate !== type)) {
    offers.push({ reason: 'otherType', relaxedCriteria: { ...plain, type: otherType, encounter: '' } });
  }
  return offers;
}
