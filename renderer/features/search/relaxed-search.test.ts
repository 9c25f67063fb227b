import { expect, test } from 'vitest';
import { emptyCriteria, type Criteria } from './criteria.ts';
import { relaxSearch } from './relaxed-search.ts';

const reasons = (criteria: Partial<Criteria>) =>
  relaxSearch({ ...emptyCriteria, ...criteria }).map(({ reason }) => reason);
const parameters = [{ name: 'status', comparison: '', value: 'draft' }];

test('relaxes only criteria that the search has', () => {
  expect(reasons({ patient: '17', encounter: '4' })).toEqual(['elsewhere', 'otherType']);
  expect(reasons({ patient: '17', parameters })).toEqual(['looser', 'otherType']);
  expect(reasons({ type: 'Composition', parameters })).toEqual(['looser']);
  expect(reasons({ type: 'Composition' })).toEqual([]);
});

test('drops further parameters of a search by encounter only', () => {
  expect(reasons({ encounter: '4', parameters })).toEqual(['looser']);
});
