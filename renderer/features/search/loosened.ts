import { definitionOf, resourceTypes } from '../../../core/fhir/resource.ts';
import type { Criteria } from './criteria.ts';

/** A search that asks for less than one that found nothing. */
export interface Looser {
  readonly reason: 'elsewhere' | 'looser' | 'otherType';
  readonly criteria: Criteria;
}

/** What to try where nothing was found: other encounters, no further parameters, the other types. */
export function loosened(criteria: Criteria): readonly Looser[] {
  const { type, patient, encounter } = criteria;
  const plain: Criteria = { ...criteria, more: [] };
  const others = resourceTypes.filter((one) => one !== type);
  return [
    ...(patient !== '' && encounter !== ''
      ? [{ reason: 'elsewhere', criteria: { ...plain, encounter: '' } } as const]
      : []),
    ...(criteria.more.length > 0 && (patient !== '' || !definitionOf(type).needsSubject)
      ? [{ reason: 'looser', criteria: plain } as const]
      : []),
    ...(patient === ''
      ? []
      : others.map(
          (other) => ({ reason: 'otherType', criteria: { ...plain, type: other, encounter: '' } }) as const,
        )),
  ];
}
