import { expect, test } from 'vitest';
import { bareIds, parseCanonical, parseReference } from './reference.ts';

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
])('parses %s', (literal, expected) => {
  expect(parseReference(literal)).toEqual(expected);
});

test.each([
  ['Patient/x', 'x'],
  [' Patient/x ,y', 'x,y'],
  ['urn:uuid:x,#c', 'x,c'],
  ['http://host/fhir/Patient/x/', 'x'],
  ['http://host/fhir/Patient/x?a=b', 'x'],
  ['HTTPS://host/fhir/Patient/x#part', 'x'],
  ['http://host/fhir/Patient/x/_history/2', 'x'],
  ['Patient/a\\,b', 'Patient/a\\,b'],
  ['Patient/', 'Patient/'],
  ['#', '#'],
  ['', ''],
])('reduces %j to the id %j', (literals, ids) => {
  expect(bareIds(literals)).toBe(ids);
});

test.each([
  ['http://host/', { id: 'http://host/' }],
  [' http://host/ ', { id: 'http://host/' }],
  ['http://host/PlanDefinition/x', { id: 'x', type: 'PlanDefinition', base: 'http://host' }],
  [' ', undefined],
])('parses the canonical %j', (url, expected) => {
  expect(parseCanonical(url)).toEqual(expected);
});
