import { expect, test } from 'vitest';
import { emptyCriteria, type Criteria } from './criteria.ts';
import { initialSearch, searchReducer, type SearchAction } from './search-state.ts';

const plan: Criteria = { ...emptyCriteria, patient: '17' };
const composition: Criteria = { ...emptyCriteria, type: 'Composition' };
const after = (...actions: readonly SearchAction[]) => actions.reduce(searchReducer, initialSearch);
const submitted = (criteria: Criteria): SearchAction => ({ type: 'submitted', criteria });

test('a submitted search is trimmed', () => {
  const state = after(submitted({ ...plan, patient: ' 17 ' }));
  expect(state.submitted).toEqual(plan);
  expect(state.form).toEqual(plan);
});

test('a search that asks nothing is one of all records', () => {
  expect(after(submitted(emptyCriteria)).submitted).toEqual(emptyCriteria);
});

test('back and forward step through the searches, and a new one ends the way forward', () => {
  const two = [submitted(plan), submitted(composition)];
  const back: SearchAction = { type: 'stepped', by: -1 };
  const forward: SearchAction = { type: 'stepped', by: 1 };
  expect(after(...two, back).submitted).toEqual(plan);
  expect(after(...two, back).form).toEqual(plan);
  expect(after(...two, back, back).submitted).toEqual(plan);
  expect(after(...two, back, forward)).toEqual(after(...two));
  const branched = after(...two, back, submitted({ ...plan, encounter: '4' }));
  expect(branched.future).toEqual([]);
  expect(branched.past).toEqual([plan]);
});

test('the same search again is no step', () => {
  expect(after(submitted(plan), submitted({ ...plan, patient: '17 ' })).past).toEqual([]);
});

test('a parameter is added with a first choice, changed and removed', () => {
  const added = after({ type: 'parameterAdded', name: 'status' });
  expect(added.form.more).toEqual([{ name: 'status', comparison: '', value: 'draft' }]);
  const missing = searchReducer(added, {
    type: 'parameterChanged',
    index: 0,
    change: { comparison: ':missing' },
  });
  expect(missing.form.more[0]).toEqual({ name: 'status', comparison: ':missing', value: 'true' });
  const renamed = searchReducer(added, { type: 'parameterChanged', index: 0, change: { name: 'date' } });
  expect(renamed.form.more[0]).toEqual({ name: 'date', comparison: '', value: '' });
  expect(searchReducer(added, { type: 'parameterRemoved', index: 0 }).form.more).toEqual([]);
});

test('of the searches before, so many are kept as back can lead to', () => {
  const searches = Array.from({ length: 60 }, (_, at) => submitted({ ...plan, encounter: String(at) }));
  const { past } = after(...searches);
  expect(past).toHaveLength(50);
  expect(past.at(-1)?.encounter).toBe('58');
});
