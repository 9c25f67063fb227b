import { expect, test } from 'vitest';
import { formatAuditTarget } from './audit-places.ts';

test('formats API addresses in words and records and searches by their path', () => {
  const formattedTargets = [
    '/app/overview/records?since=2026-11-25T00:00:00.000Z',
    '/app/history/CarePlan/a%2Db?count=1',
    '/app/facets/CarePlan/status?subject=p',
    '/app/quality/findings?state=open',
    '/fhir-r4/v1/CarePlan?subject=p',
    '/fhir-r4/v1/CarePlan/17',
    '/app/unheard-of',
  ].map(formatAuditTarget);
  expect(formattedTargets).toEqual([
    'Overview',
    'History of CarePlan/a-b',
    'Counts of CarePlan by Status',
    'Worklist',
    'CarePlan?subject=p',
    'CarePlan/17',
    '/app/unheard-of',
  ]);
});
