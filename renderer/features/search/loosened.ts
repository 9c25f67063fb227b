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
  const others = resourceTypes.filter((one) => one !== type);
  return [
    ...(criteria.exactPatient || criteria.exactEncounter
      ? [
          {
            reason: 'anyForm',
            criteria: { ...criteria, exactPatient: false, exactEncounter: false },
          } as const,
        ]
      : []),
    ...(patient !== '' && encounter !== ''
      ? [{ reason: 'elsewhere', criteria: { ...plain, encounter: '' } } as const]
      : []),
    ...(criteria.more.length > 0 ? [{ reason: 'looser', criteria: plain } as const] : []),
    ...(patient === ''
      ? []
      : others.map(
          (other) => ({ reason: 'otherType', criteria: { ...plain, type: other, encounter: '' } }) as const,
        )),
  ];
}
