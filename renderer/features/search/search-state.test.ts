import { expect, test } from 'vitest';
import { initialSearch, queryOf, searchReducer, type Criteria } from './search-state.ts';

const plan: Criteria = { type: 'CarePlan', patient: '17', encounter: '' };

test('a submitted search is trimmed and remembered once, newest first', () => {
  const composition: Criteria = { type: 'Composition', patient: '', encounter: '' };
  const state = [{ ...plan, patient: ' 17 ' }, composition, plan].reduce(
    (current, criteria) => searchReducer(current, { type: 'submitted', criteria }),
    initialSearch,
  );
  expect(state.submitted).toEqual(plan);
  expect(state.form).toEqual(plan);
  expect(state.recent).toEqual([plan, composition]);
});

test('a CarePlan search without a patient is held back and says so until the form changes', () => {
  const criteria: Criteria = { type: 'CarePlan', patient: ' ', encounter: '4' };
  const held = searchReducer(initialSearch, { type: 'submitted', criteria });
  expect(held.submitted).toBeUndefined();
  expect(held.patientMissing).toBe(true);
  expect(held.recent).toEqual([]);
  expect(searchReducer(held, { type: 'changed', form: { patient: '1' } }).patientMissing).toBe(false);
});

test('the query names subject, encounter and the size of a page', () => {
  expect(queryOf({ ...plan, encounter: 'e' }, 500)).toEqual([
    ['subject', '17'],
    ['encounter', 'e'],
    ['_count', '500'],
  ]);
});
