import { expect, test } from 'vitest';
import { follow, patientOf } from './follow.ts';

const search = (name: string, value: string, type = 'CarePlan') => ({
  kind: 'search',
  type,
  pairs: [[name, value]],
});

test.each([
  ['Patient/17', 'subject', { kind: 'patient', id: '17' }],
  ['http://a.example/fhir/Patient/17/_history/2', 'subject', { kind: 'patient', id: '17' }],
  ['urn:uuid:0a', 'subject', { kind: 'patient', id: '0a' }],
  ['Group/3', 'subject', search('subject', 'Group/3')],
  ['Encounter/4', 'encounter', search('encounter', '4')],
  ['urn:uuid:0b', 'encounter', search('encounter', '0b')],
  ['Practitioner/5', 'author', search('author', 'Practitioner/5', 'Composition')],
  ['CarePlan/6', 'replaces', { kind: 'record', type: 'CarePlan', id: '6' }],
  ['#goal', 'goal', { kind: 'contained', id: 'goal' }],
  ['Goal/7', 'goal', undefined],
  ['', 'subject', undefined],
])('resolves %s in %s to %j', (literal, element, target) => {
  expect(follow(literal, element, 'CarePlan')).toEqual(target);
});

test.each([
  ['Patient/17', 'Ada Example', { id: '17', name: 'Ada Example' }],
  ['urn:uuid:0a', '', { id: '0a', name: '' }],
  ['https://a.example/fhir/Patient/17/_history/2', '', { id: '17', name: '' }],
  ['#p', 'Ada Example', undefined],
  ['Group/3', '', undefined],
  ['Ada Example', 'Ada Example', undefined],
  ['', '', undefined],
])('returns for the subject %s with the name %s the patient %j', (subject, subjectName, patient) => {
  expect(patientOf('CarePlan', { subject, subjectName })).toEqual(patient);
});
