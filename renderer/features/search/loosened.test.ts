import { expect, test } from 'vitest';
import { emptyCriteria, type Criteria } from './criteria.ts';
import { loosened } from './loosened.ts';

const reasons = (criteria: Partial<Criteria>) =>
  loosened({ ...emptyCriteria, ...criteria }).map(({ reason }) => reason);
const more = [{ name: 'status', comparison: '', value: 'draft' }];

test('what was asked decides what can be asked less of', () => {
  expect(reasons({ patient: '17', encounter: '4' })).toEqual(['elsewhere', 'otherType']);
  expect(reasons({ patient: '17', more })).toEqual(['looser', 'otherType']);
  expect(reasons({ type: 'Composition', more })).toEqual(['looser']);
  expect(reasons({ type: 'Composition' })).toEqual([]);
});

test('an encounter alone is asked for without the further parameters', () => {
  expect(reasons({ encounter: '4', more })).toEqual(['looser']);
});
