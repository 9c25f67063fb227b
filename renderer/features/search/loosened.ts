import type { Criteria } from './criteria.ts';

/** A search that asks for less than one that found nothing. */
export interface Looser {
  readonly reason: 'elsewhere' | 'looser' | 'otherType';
  readonly criteria: Criteria;
}

/** What to try where nothing was found: other encounters, no further parameters, the other type. */
export function loosened(criteria: Criteria): readonly Looser[] {
  const { type, patient, encounter } = criteria;
  const plain: Criteria = { ...criteria, more: [] };
  const other = type === 'CarePlan' ? 'Composition' : 'CarePlan';
  return [
    ...(patient !== '' && encounter !== ''
      ? [{ reason: 'elsewhere', criteria: { ...plain, encounter: '' } } as const]
      : []),
    ...(criteria.more.length > 0 && (patient !== '' || type === 'Composition')
      ? [{ reason: 'looser', criteria: plain } as const]
      : []),
    ...(patient === ''
      ? []
      : [{ reason: 'otherType', criteria: { ...plain, type: other, encounter: '' } } as const]),
  ];
}
