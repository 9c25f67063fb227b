import { expect, test } from 'vitest';
import { literalsIn } from './literals.ts';

test('the references of a record are told with their places, those of what it contains too', () => {
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

test.each(['', '#g', '#', 7, null, { reference: '' }])('%j leads to no other record', (reference) => {
  expect(literalsIn({ resourceType: 'CarePlan', subject: { reference } })).toEqual([]);
});
