import { expect, test } from 'vitest';
import { literalsIn } from './literals.ts';

test('lists the references of a record and of its contained resources with their paths', () => {
  const record = {
    resourceType: 'Composition',
    subject: { reference: 'Patient/1' },
    section: [{}, { entry: [{ display: 'x' }, { reference: 'urn:uuid:2' }] }],
    contained: [{ resourceType: 'Goal', subject: { reference: 'Group/3' } }],
  };
  expect(literalsIn(record)).toEqual([
    { path: 'Composition.subject', reference: 'Patient/1' },
    { path: 'Composition.section[1].entry[1]', reference: 'urn:uuid:2' },
    { path: 'Composition.contained[0].subject', reference: 'Group/3' },
  ]);
});

test.each(['', '#g', '#', 7, null, { reference: '' }])('ignores the reference %j', (reference) => {
  expect(literalsIn({ resourceType: 'CarePlan', subject: { reference } })).toEqual([]);
});
