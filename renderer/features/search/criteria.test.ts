import { expect, test } from 'vitest';
import { searchParametersOf } from '../../../core/fhir/search-parameters.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { criteriaOf, emptyCriteria, queryOf, withOrder } from './criteria.ts';
import { comparisonsOf, controlOf, furtherParameters, pairOf, parameterOf } from './parameter-fields.ts';

test('converts a query to form criteria and back without loss', () => {
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
  expect(criteria.parameters[1]).toEqual({ name: 'date', comparison: 'ge', value: '2024-01' });
  expect(queryOf(criteria)).toEqual({ type: 'CarePlan', pairs });
});

test('drops result parameters from the form and empty criteria from the query', () => {
  const criteria = criteriaOf({
    type: 'Composition',
    pairs: [
      ['_count', '500'],
      ['_cursor', 'x'],
      ['_elements', 'id'],
      ['title', 'Note'],
    ],
  });
  expect(criteria.parameters).toEqual([{ name: 'title', comparison: '', value: 'Note' }]);
  const parameters = [{ name: 'date', comparison: 'ge', value: ' ' }];
  expect(queryOf({ ...emptyCriteria, parameters }).pairs).toEqual([]);
});

test('accepts every parameter with every comparison and a value of its control', () => {
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
    const formParameters = new Set([...furtherParameters(type), 'subject', 'encounter', 'patient']);
    for (const { name } of searchParametersOf(type)) expect(formParameters).toContain(name);
  }
});

test('lists codes if the binding is required', () => {
  const status = controlOf('Composition', { name: 'status', comparison: '', value: '' });
  expect(status).toMatchObject({ kind: 'choice', values: expect.arrayContaining(['final', 'amended']) });
  expect(controlOf('CarePlan', { name: 'category', comparison: '', value: '' }).kind).toBe('text');
});

test('replaces the previous order', () => {
  const ordered = withOrder(withOrder(emptyCriteria, 'date'), '-status');
  expect(queryOf(ordered).pairs).toEqual([['_sort', '-status']]);
  expect(withOrder(ordered, '')).toEqual(emptyCriteria);
});

test.each(['Patient/17', 'urn:uuid:17', 'http://host/fhir/Patient/17/_history/2', ' Patient/17/ '])(
  'searches the reference %j by its ID, or exactly if requested',
  (patient) => {
    const criteria = { ...emptyCriteria, patient };
    expect(queryOf(criteria).pairs).toEqual([['subject', '17']]);
    const exactly = queryOf({ ...criteria, exactPatient: true });
    expect(exactly.pairs).toEqual([['subject', patient.trim()]]);
    expect(queryOf(criteriaOf(exactly))).toEqual(exactly);
  },
);

test('searches several references by their IDs', () => {
  const criteria = { ...emptyCriteria, patient: 'Patient/17,urn:uuid:18, 19' };
  expect(queryOf(criteria).pairs).toEqual([['subject', '17,18,19']]);
});
