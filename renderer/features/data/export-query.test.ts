import { expect, test } from 'vitest';
import { exportQuery } from './export-query.ts';

test.each([
  ['', '', ''],
  ['CarePlan', ' status=active ', 'type=CarePlan&status=active'],
  ['', '?subject=17&status=active', 'subject=17&status=active'],
  ['', '/fhir-r4/v1/Composition?title=Note', 'type=Composition&title=Note'],
] as const)('converts type %s with criteria %s to the query %s', (type, criteria, query) => {
  expect(exportQuery({ type, criteria })).toBe(query);
});
