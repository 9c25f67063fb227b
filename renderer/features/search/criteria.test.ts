import { expect, test } from 'vitest';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { criteriaOf, emptyCriteria, queryOf, withOrder } from './criteria.ts';
import { comparisonsOf, controlOf, furtherParameters, pairOf, parameterOf } from './parameter-fields.ts';

test('a query fills the form and comes out of it as it was', () => {
  const pairs = [
    ['subject', '17'],
    ['encounter', 'Encounter/4'],
    ['status:not', 'active'],
    ['date', 'ge2024-01'],
    ['date', 'lt2025,ge2026'],
    ['subject:missing', 'false'],
    ['subject', '18'],
    ['_sort', '-date,_id'],
    ['no-such', 'x'],
    ['title:below', 'y'],
  ] as const;
  const criteria = criteriaOf({ type: 'CarePlan', pairs });
  expect(criteria).toMatchObject({ patient: '17', encounter: 'Encounter/4' });
  expect(criteria.more[1]).toEqual({ name: 'date', comparison: 'ge', value: '2024-01' });
  expect(queryOf(criteria)).toEqual({ type: 'CarePlan', pairs });
});

test('what shapes the answer is left out of the form, and what asks nothing out of the query', () => {
  const criteria = criteriaOf({
    type: 'Composition',
    pairs: [
      ['_count', '500'],
      ['_cursor', 'x'],
      ['_elements', 'id'],
      ['title', 'Note'],
    ],
  });
  expect(criteria.more).toEqual([{ name: 'title', comparison: '', value: 'Note' }]);
  const more = [{ name: 'date', comparison: 'ge', value: ' ' }];
  expect(queryOf({ ...emptyCriteria, more }).pairs).toEqual([]);
});

test('each parameter with each comparison and a value of its control is one that the service takes', () => {
  const samples = { text: 'x', date: '2024-03', reference: 'a' } as const;
  for (const type of resourceTypes) {
    for (const name of furtherParameters(type)) {
      for (const comparison of comparisonsOf(name)) {
        const control = controlOf(type, { name, comparison, value: '' });
        const values = control.kind === 'choice' ? control.values : [samples[control.kind]];
        for (const value of values) {
          const pair = pairOf({ name, comparison, value });
          expect(() => readCriteria(type, [['_id', 'a'], pair]), pair.join('=')).not.toThrow();
          expect(parameterOf(pair)).toEqual({ name, comparison, value });
        }
      }
    }
    const offered = new Set([...furtherParameters(type), 'subject', 'encounter', 'patient']);
    for (const { name } of searchParametersOf(type)) expect(offered).toContain(name);
  }
});

test('codes are offered where the binding is required', () => {
  const status = controlOf('Composition', { name: 'status', comparison: '', value: '' });
  expect(status).toMatchObject({ kind: 'choice', values: expect.arrayContaining(['final', 'amended']) });
  expect(controlOf('CarePlan', { name: 'category', comparison: '', value: '' }).kind).toBe('text');
});

test('an order takes the place of the one before', () => {
  const ordered = withOrder(withOrder(emptyCriteria, 'date'), '-status');
  expect(queryOf(ordered).pairs).toEqual([['_sort', '-status']]);
  expect(withOrder(ordered, '')).toEqual(emptyCriteria);
});

test.each(['Patient/17', 'urn:uuid:17', 'http://host/fhir/Patient/17/_history/2', ' Patient/17/ '])(
  'the reference %j is searched by its id, and exactly so where that is asked for',
  (patient) => {
    const criteria = { ...emptyCriteria, patient };
    expect(queryOf(criteria).pairs).toEqual([['subject', '17']]);
    const exactly = queryOf({ ...criteria, exactPatient: true });
    expect(exactly.pairs).toEqual([['subject', patient.trim()]]);
    expect(queryOf(criteriaOf(exactly))).toEqual(exactly);
  },
);

test('several references are searched by their ids', () => {
  const criteria = { ...emptyCriteria, patient: 'Patient/17,urn:uuid:18, 19' };
  expect(queryOf(criteria).pairs).toEqual([['subject', '17,18,19']]);
});
