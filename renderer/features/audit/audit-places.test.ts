import { expect, test } from 'vitest';
import { placeWords } from './audit-places.ts';

test('an address of the app’s own is told in words, a record and a search by what was asked for', () => {
  const told = [
    '/app/overview/records?since=2026-11-25T00:00:00.000Z',
    '/app/history/CarePlan/a%2Db?count=1',
    '/app/facets/CarePlan/status?subject=p',
    '/app/quality/findings?state=open',
    '/fhir-r4/v1/CarePlan?subject=p',
    '/fhir-r4/v1/CarePlan/17',
    '/app/unheard-of',
  ].map(placeWords);
  expect(told).toEqual([
    'Overview',
    'History of CarePlan/a-b',
    'Counts of CarePlan by status',
    'Worklist',
    'CarePlan?subject=p',
    'CarePlan/17',
    '/app/unheard-of',
  ]);
});
