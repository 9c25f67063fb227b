import { expect, test } from 'vitest';
import { noSelection, selectionReducer, type SelectionAction } from './use-selection.ts';

const order = ['a', 'b', 'c', 'd'];
const after = (...actions: readonly SelectionAction[]) => actions.reduce(selectionReducer, noSelection);
const chosen = (...actions: readonly SelectionAction[]) => [...after(...actions).chosen];

test('moving chooses nothing, and keeps what was chosen', () => {
  expect(chosen({ type: 'moved', to: 'b' })).toEqual([]);
  expect(chosen({ type: 'toggled', key: 'a' }, { type: 'moved', to: 'c' })).toEqual(['a']);
});

test('a row is chosen and let go again', () => {
  const toggle: SelectionAction = { type: 'toggled', key: 'a' };
  expect(chosen(toggle)).toEqual(['a']);
  expect(chosen(toggle, toggle)).toEqual([]);
});

test('a range grows and shrinks from where it began, in both directions', () => {
  const start: SelectionAction = { type: 'moved', to: 'b' };
  const to = (key: string): SelectionAction => ({ type: 'extended', to: key, order });
  expect(chosen(start, to('c'), to('d'))).toEqual(['b', 'c', 'd']);
  expect(chosen(start, to('c'), to('d'), to('c'))).toEqual(['b', 'c']);
  expect(chosen(start, to('c'), to('a'))).toEqual(['a', 'b']);
  expect(after(start, to('c')).current).toBe('c');
});

test('all are chosen, and none', () => {
  expect(chosen({ type: 'all', order })).toEqual(order);
  expect(chosen({ type: 'all', order }, { type: 'cleared' })).toEqual([]);
});
