import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { getNameWithoutModifiers, resourceName, subjectNameOf } from './resource-name.ts';

const nodeOf = (value: unknown) => scan(JSON.stringify(value)).root;

test.each<[resource: object, name: string]>([
  [{ code: { text: 'C' }, description: 'D' }, 'C'],
  [{ code: {}, description: { text: 'D' } }, 'D'],
  [{ type: { coding: [{ display: 'K' }] } }, 'K'],
  [{ medicationCodeableConcept: { text: 'M' } }, 'M'],
  [{ title: 'T', name: 'N' }, 'T'],
  [{ name: 'N', description: 'D' }, 'N'],
  [{ name: [{ given: ['A', 'B'], family: 'N' }] }, 'A B N'],
  [{ description: 'D' }, 'D'],
  [{ medicationReference: { display: 'R' } }, 'R'],
  [
    { medicationReference: { reference: '#m' }, contained: [{ id: 'm', code: { text: 'Within' } }] },
    'Within',
  ],
  [{ medicationReference: { reference: '#s' } }, 'Sibling'],
  [{}, ''],
])('names %j by %j', (resource, name) => {
  const siblings = [nodeOf({ id: 's', code: { text: 'Sibling' } })];
  expect(getNameWithoutModifiers(nodeOf(resource), siblings)).toBe(name);
  expect(resourceName(nodeOf(resource), { siblings }).name).toBe(name);
});

test('names a resource with modifiers and without a name by its type', () => {
  const refuted = { resourceType: 'Condition', verificationStatus: { coding: [{ code: 'refuted' }] } };
  expect(resourceName(nodeOf(refuted))).toEqual({ name: 'Refuted: Condition', negation: 'Refuted' });
});

test.each<[subject: object | undefined, name: string]>([
  [{ display: 'Ada', reference: '#p' }, 'Ada'],
  [{ reference: '#p' }, 'Robin Low'],
  [{ display: '', reference: '#p' }, 'Robin Low'],
  [{ reference: '#w' }, 'Ward 3'],
  [{ reference: '#d' }, 'Ada Low (deceased)'],
  [{ display: 'Ada', reference: '#d' }, 'Ada (deceased)'],
  [{ reference: '#n' }, ''],
  [{ reference: '#nobody' }, ''],
  [{ reference: 'Patient/p' }, ''],
  [{}, ''],
  [undefined, ''],
])('names the subject %j %j', (subject, name) => {
  const record = nodeOf({
    contained: [
      { id: 'n' },
      { id: 'p', name: [{ given: ['Robin', 7], family: 'Low' }, { text: 'Other' }] },
      { id: 'w', name: 'Ward 3' },
      { resourceType: 'Patient', id: 'd', deceasedBoolean: true, name: [{ text: 'Ada Low' }] },
    ],
  });
  expect(subjectNameOf(record, subject && nodeOf(subject))).toBe(name);
});
