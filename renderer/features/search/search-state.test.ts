import { expect, test } from 'vitest';
import { emptyCriteria, type Criteria } from './criteria.ts';
import { initialSearch, searchReducer, type SearchAction } from './search-state.ts';

const plan: Criteria = { ...emptyCriteria, patient: '17' };
const composition: Criteria = { ...emptyCriteria, type: 'Composition' };
const applyActions = (...actions: readonly SearchAction[]) => actions.reduce(searchReducer, initialSearch);
const submitAction = (criteria: Criteria): SearchAction => ({ type: 'submitted', criteria });

test('trims a submitted search', () => {
  const state = applyActions(submitAction({ ...plan, patient: ' 17 ' }));
  expect(state.submittedCriteria).toEqual(plan);
  expect(state.form).toEqual(plan);
});

test('accepts a search without criteria', () => {
  expect(applyActions(submitAction(emptyCriteria)).submittedCriteria).toEqual(emptyCriteria);
});

test('steps back and forward, and drops later searches after a new search', () => {
  const actions = [submitAction(plan), submitAction(composition)];
  const back: SearchAction = { type: 'stepped', delta: -1 };
  const forward: SearchAction = { type: 'stepped', delta: 1 };
  expect(applyActions(...actions, back).submittedCriteria).toEqual(plan);
  expect(applyActions(...actions, back).form).toEqual(plan);
  expect(applyActions(...actions, back, back).submittedCriteria).toEqual(plan);
  expect(applyActions(...actions, back, forward)).toEqual(applyActions(...actions));
  const branchedState = applyActions(...actions, back, submitAction({ ...plan, encounter: '4' }));
  expect(branchedState.future).toEqual([]);
  expect(branchedState.past).toEqual([plan]);
});

test('adds no step for the same search', () => {
  expect(applyActions(submitAction(plan), submitAction({ ...plan, patient: '17 ' })).past).toEqual([]);
});

test('adds a parameter with a first value, changes and removes it', () => {
  const withParameter = applyActions({ type: 'parameterAdded', name: 'status' });
  expect(withParameter.form.parameters).toEqual([{ name: 'status', comparison: '', value: 'draft' }]);
  const missing = searchReducer(withParameter, {
    type: 'parameterChanged',
    index: 0,
    change: { comparison: ':missing' },
  });
  expect(missing.form.parameters[0]).toEqual({ name: 'status', comparison: ':missing', value: 'true' });
  const renamedParameter = searchReducer(withParameter, {
    type: 'parameterChanged',
    index: 0,
    change: { name: 'date' },
  });
  expect(renamedParameter.form.parameters[0]).toEqual({ name: 'date', comparison: '', value: '' });
  expect(searchReducer(withParameter, { type: 'parameterRemoved', index: 0 }).form.parameters).toEqual([]);
});

test('keeps a limited number of previous searches', () => {
  const searches = Array.from({ length: 60 }, (_, index) =>
    submitAction({ ...plan, encounter: String(index) }),
  );
  const { past } = applyActions(...searches);
  expect(past).toHaveLength(50);
  expect(past.at(-1)?.encounter).toBe('58');
});
