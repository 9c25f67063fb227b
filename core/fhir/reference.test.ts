import { expect, test } from 'vitest';
import { parseReference } from './reference.ts';

test.each([
  ['Patient/x', { id: 'x', type: 'Patient' }],
  ['Patient/x/_history/3', { id: 'x', type: 'Patient' }],
  ['urn:uuid:x', { id: 'x', base: 'urn:uuid' }],
  ['URN:UUID:x', { id: 'x', base: 'urn:uuid' }],
  ['http://host/fhir/Patient/x', { id: 'x', type: 'Patient', base: 'http://host/fhir' }],
  ['http://host/fhir/Patient/x/_history/1', { id: 'x', type: 'Patient', base: 'http://host/fhir' }],
  ['#x', { id: 'x', base: '#' }],
  ['x', { id: 'x' }],
  ['', undefined],
  ['#', undefined],
  ['Patient/', undefined],
])('%s', (literal, expected) => {
  expect(parseReference(literal)).toEqual(expected);
});
