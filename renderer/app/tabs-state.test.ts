import { expect, test } from 'vitest';
import { toVersion } from '../features/record/record-version.ts';
import {
  initialTabs,
  labelOf,
  modelPathOf,
  searchKey,
  tabsReducer,
  unsavedTabs,
  type TabsAction,
} from './tabs-state.ts';

const open = (id: string): TabsAction => ({ type: 'open', record: 'CarePlan', id, hint: '' });
const run = (...actions: TabsAction[]) => actions.reduce(tabsReducer, initialTabs);
const version = toVersion({ text: '{"resourceType":"CarePlan","id":"a","title":"Plan"}', version: 1 });

test('a record opens once; opening it again activates its tab', () => {
  const state = run(open('a'), open('b'), open('a'));
  expect(state.tabs.map((tab) => tab.record.id)).toEqual(['a', 'b']);
  expect(state.active).toBe(state.tabs[0]?.key);
});

test('closing the active tab activates the right neighbour, else the left, else the search', () => {
  const three = run(open('a'), open('b'), open('c'), { type: 'activate', key: 'record-2' });
  const two = tabsReducer(three, { type: 'close', key: 'record-2' });
  expect(two.active).toBe('record-3');
  const one = tabsReducer(two, { type: 'close', key: 'record-3' });
  expect(one.active).toBe('record-1');
  expect(tabsReducer(one, { type: 'close', key: 'record-1' }).active).toBe(searchKey);
});

test('closing another tab leaves the active one', () => {
  expect(run(open('a'), open('b'), { type: 'close', key: 'record-1' }).active).toBe('record-2');
});

test('a record opened again after closing has a model of its own', () => {
  const state = run(open('a'), { type: 'close', key: 'record-1' }, open('a'));
  expect(state.tabs.map(modelPathOf)).toEqual(['chartkeeper:/CarePlan/a/record-2.json']);
});

test('an action reaches the record of its tab alone, and only that one is unsaved', () => {
  const state = run(
    open('a'),
    open('b'),
    { type: 'record', key: 'record-1', action: { type: 'loaded', version } },
    { type: 'record', key: 'record-1', action: { type: 'edited', text: '{}' } },
  );
  expect(unsavedTabs(state).map((tab) => tab.key)).toEqual(['record-1']);
  expect(state.tabs.map(labelOf)).toEqual(['Plan', 'b']);
});
