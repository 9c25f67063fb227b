import { expect, test } from 'vitest';
import { noSelection, selectionReducer, type SelectionAction } from './use-selection.ts';

const order = ['a', 'b', 'c', 'd'];
const reduce = (...actions: readonly SelectionAction[]) => actions.reduce(selectionReducer, noSelection);
const listSelected = (...actions: readonly SelectionAction[]) => [...reduce(...actions).selectedKeys];

test('keeps the selection when the current row moves', () => {
  expect(listSelected({ type: 'moved', to: 'b' })).toEqual([]);
  expect(listSelected({ type: 'toggled', key: 'a' }, { type: 'moved', to: 'c' })).toEqual(['a']);
});

test('toggles a row', () => {
  const toggle: SelectionAction = { type: 'toggled', key: 'a' };
  expect(listSelected(toggle)).toEqual(['a']);
  expect(listSelected(toggle, toggle)).toEqual([]);
});

test('extends and shrinks a range from its anchor in both directions', () => {
  const start: SelectionAction = { type: 'moved', to: 'b' };
  const extendTo = (key: string): SelectionAction => ({ type: 'extended', to: key, order });
  expect(listSelected(start, extendTo('c'), extendTo('d'))).toEqual(['b', 'c', 'd']);
  expect(listSelected(start, extendTo('c'), extendTo('d'), extendTo('c'))).toEqual(['b', 'c']);
  expect(listSelected(start, extendTo('c'), extendTo('a'))).toEqual(['a', 'b']);
  expect(reduce(start, extendTo('c')).current).toBe('c');
});

test('selects all rows and none', () => {
  expect(listSelected({ type: 'all', order })).toEqual(order);
  expect(listSelected({ type: 'all', order }, { type: 'cleared' })).toEqual([]);
});
