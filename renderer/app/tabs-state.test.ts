import { expect, test } from 'vitest';
import type { ViewId } from '../../core/app/views.ts';
import { blank, createTemporaryId } from '../../core/fhir/new-record.ts';
import { toVersion } from '../platform/record-version.ts';
import { formatRecordLabel, getModelPath, searchKey, toTabSeed, listTabKeys } from './tab-kinds.ts';
import {
  initialTabs,
  listRecordTabs,
  startTabs,
  findRecordTab,
  tabsReducer,
  listUnsavedTabs,
  changesActiveTab,
  getActiveView,
  type TabsAction,
} from './tabs-state.ts';

const open = (id: string): TabsAction => ({ type: 'open', record: { type: 'CarePlan', id, title: '' } });
const openQuality: TabsAction = { type: 'openView', view: 'quality' };
const run = (...actions: TabsAction[]) => actions.reduce(tabsReducer, initialTabs);
const version = toVersion({ text: '{"resourceType":"CarePlan","id":"a","title":"Plan"}', version: 1 });
const named = (id: string) => ({ type: 'CarePlan' as const, id, title: id });

test('a record opens once; opening it again activates its tab', () => {
  const state = run(open('a'), open('b'), open('a'));
  expect(listRecordTabs(state).map((tab) => tab.record.id)).toEqual(['a', 'b']);
  expect(state.active).toBe(state.tabs[0]?.key);
});

test('a record whose reading is known before its tab opens with its text, or with why it has none', () => {
  const record = { type: 'CarePlan' as const, id: 'a', title: '' };
  const failure = { sentences: ['No such record.'] };
  const read = run({ type: 'open', record, outcome: { type: 'loaded', version } });
  const unread = run({ type: 'open', record, outcome: { type: 'unreadable', failure } });
  expect(listRecordTabs(read).map((tab) => [tab.record.phase.name, tab.record.text])).toEqual([
    ['clean', version.text],
  ]);
  expect(listRecordTabs(unread).map((tab) => tab.record.phase)).toEqual([{ name: 'unreadable', failure }]);
});

test('a view opens once, and the search is always there', () => {
  const state = run(openQuality, open('a'), openQuality);
  expect(listTabKeys(state)).toEqual(['search', 'view-quality', 'record-1']);
  expect(state.active).toBe('view-quality');
  expect(tabsReducer(state, { type: 'openView', view: 'search' })).toMatchObject({
    active: searchKey,
    tabs: state.tabs,
  });
});

test('the parts of Trust share one tab, which goes on at the part that was in front', () => {
  const view = (id: ViewId): TabsAction => ({ type: 'openView', view: id });
  const state = run(view('trust'), open('a'), view('damage'));
  expect(listTabKeys(state)).toEqual(['search', 'view-trust', 'record-1']);
  expect([state.active, getActiveView(state)]).toEqual(['view-trust', 'damage']);
  const again = [open('a'), view('trust')].reduce(tabsReducer, state);
  expect(getActiveView(again)).toBe('damage');
  expect(getActiveView(run(view('damage'), open('a')))).toBeUndefined();
  // What is kept is the part, so that the next start begins there.
  expect(state.tabs.map(toTabSeed)[0]).toEqual({ kind: 'view', view: 'damage' });
  expect(getActiveView(run(view('trust')))).toBe('audit');
});

test('closing the active tab activates the right neighbour, else the left, else the search', () => {
  const three = run(open('a'), open('b'), openQuality, { type: 'activate', key: 'record-2' });
  const two = tabsReducer(three, { type: 'close', key: 'record-2' });
  expect(two.active).toBe('view-quality');
  const one = tabsReducer(two, { type: 'close', key: 'view-quality' });
  expect(one.active).toBe('record-1');
  expect(tabsReducer(one, { type: 'close', key: 'record-1' }).active).toBe(searchKey);
});

test('closing another tab leaves the active one', () => {
  expect(run(open('a'), open('b'), { type: 'close', key: 'record-1' }).active).toBe('record-2');
});

test('a record opened again after closing has a model of its own', () => {
  const state = run(open('a'), { type: 'close', key: 'record-1' }, open('a'));
  expect(listRecordTabs(state).map(getModelPath)).toEqual(['chartkeeper:/CarePlan/a/record-2.json']);
});

test('closed tabs open again, the last one first', () => {
  const closed = run(
    open('a'),
    openQuality,
    { type: 'close', key: 'record-1' },
    { type: 'close', key: 'view-quality' },
  );
  const once = tabsReducer(closed, { type: 'reopen' });
  expect(once.active).toBe('view-quality');
  const twice = tabsReducer(once, { type: 'reopen' });
  expect(findRecordTab(twice, 'CarePlan', 'a')?.key).toBe(twice.active);
  expect(tabsReducer(twice, { type: 'reopen' })).toBe(twice);
});

test('stepping goes round, by way of the search', () => {
  const state = run(open('a'), open('b'), { type: 'step', delta: 1 });
  expect(state.active).toBe(searchKey);
  expect(tabsReducer(state, { type: 'step', delta: -1 }).active).toBe('record-2');
});

test('what was open at last comes back in its order, with the active one in front', () => {
  const tabs = run(open('a'), openQuality, open('b')).tabs.map(toTabSeed);
  const state = run({ type: 'restored', tabs, active: 1, recent: [named('c')] });
  expect(state.tabs.map(toTabSeed)).toEqual(tabs);
  expect(state.active).toBe('view-quality');
  expect(state.recent).toEqual([named('c')]);
  expect(run({ type: 'restored', tabs, active: -1, recent: [] }).active).toBe(searchKey);
});

test('what was opened before the session arrived stays in front, with its own key', () => {
  const early = run(open('x'));
  const tabs = [open('a'), open('x')].map((action) => run(action).tabs.map(toTabSeed)).flat();
  const state = tabsReducer(early, { type: 'restored', tabs, active: 0, recent: [] });
  expect(listRecordTabs(state).map((tab) => tab.record.id)).toEqual(['a', 'x']);
  expect(state.active).toBe(findRecordTab(state, 'CarePlan', 'x')?.key);
  expect(findRecordTab(state, 'CarePlan', 'x')).toBe(early.tabs[0]);
});

test('an action reaches the record of its tab alone, and only that one is unsaved', () => {
  const state = run(
    open('a'),
    open('b'),
    { type: 'record', key: 'record-1', action: { type: 'loaded', version } },
    { type: 'record', key: 'record-1', action: { type: 'edited', text: '{}' } },
  );
  expect(listUnsavedTabs(state).map((tab) => tab.key)).toEqual(['record-1']);
  expect(listRecordTabs(state).map(formatRecordLabel)).toEqual(['Plan', 'b']);
});

test('an action that changes no record leaves the very state, and other tabs as they are', () => {
  const state = run(open('a'), open('b'));
  const loading: TabsAction = { type: 'record', key: 'record-1', action: { type: 'loading' } };
  expect(tabsReducer(state, loading)).toBe(state);
  expect(tabsReducer(state, { ...loading, key: 'record-9' })).toBe(state);
  const read = tabsReducer(state, { ...loading, action: { type: 'loaded', version } });
  expect(read.tabs[0]).not.toBe(state.tabs[0]);
  expect(read.tabs[1]).toBe(state.tabs[1]);
});

test('no two servers that the page works on share the key or the text model of a tab', () => {
  const record = { type: 'CarePlan', id: 'a', title: 'A' } as const;
  const paths = [startTabs(), startTabs(), startTabs()].flatMap((start) =>
    listRecordTabs(tabsReducer(start, { type: 'open', record })).map(getModelPath),
  );
  expect(new Set(paths).size).toBe(3);
});

const ask = (key: string, ...pairs: [string, string][]): TabsAction => ({
  type: 'searched',
  key,
  tabQuery: { query: { type: 'CarePlan', pairs }, total: 2 },
});

test('another search stands beside the first, closes, and opens again with what it asked', () => {
  const state = run(open('a'), { type: 'openSearch' }, ask('search-2', ['status', 'draft']));
  expect(listTabKeys(state)).toEqual([searchKey, 'search-2', 'record-1']);
  expect(getActiveView(state)).toBe('search');
  const closed = tabsReducer(state, { type: 'close', key: 'search-2' });
  expect([closed.search, listTabKeys(closed)]).toEqual([searchKey, [searchKey, 'record-1']]);
  const again = tabsReducer(closed, { type: 'reopen' });
  expect(again.tabs.map(toTabSeed)).toContainEqual({
    kind: 'search',
    query: { type: 'CarePlan', pairs: [['status', 'draft']] },
  });
  expect(again.search).toBe(again.active);
});

test('the search that was in front last comes back, not the first', () => {
  const state = run({ type: 'openSearch' }, open('a'), { type: 'showSearch' });
  expect(state.active).toBe('search-1');
  const first = run({ type: 'openSearch' }, { type: 'activate', key: searchKey }, open('a'));
  expect(tabsReducer(first, { type: 'openView', view: 'search' }).active).toBe(searchKey);
});

test('searches come back with the session, the one in front too', () => {
  const query = { type: 'CarePlan', pairs: [] } as const;
  const tabs = [{ kind: 'search' }, { kind: 'search', query: { ...query, pairs: [] } }] as const;
  const state = run({ type: 'restored', tabs, active: 1, recent: [] });
  expect(state.tabs.map(toTabSeed)).toEqual(tabs);
  expect(state.active).toBe(state.tabs[1]?.key);
});

test('another view comes to the front by opening, stepping and closing, and by nothing else', () => {
  const state = run(open('a'), openQuality);
  const key = state.tabs[0]?.key ?? '';
  expect(changesActiveTab(state, { type: 'activate', key })).toBe(true);
  expect(changesActiveTab(state, { type: 'step', delta: 1 })).toBe(true);
  expect(changesActiveTab(state, { type: 'close', key: state.active })).toBe(true);
  expect(changesActiveTab(state, { type: 'close', key })).toBe(false);
  expect(changesActiveTab(state, openQuality)).toBe(false);
  expect(changesActiveTab(state, { type: 'restored', tabs: [], active: -1, recent: [] })).toBe(false);
});

test('a record that is stored for the first time goes on in its place, under its id, in a tab of its own', () => {
  const id = createTemporaryId('7');
  const begun = run(open('a'), {
    type: 'open',
    record: { type: 'CarePlan', id, title: 'New care plan' },
    outcome: {
      type: 'restored',
      text: '{"resourceType":"CarePlan","title":"P"}',
      base: toVersion({ text: blank('CarePlan') }),
    },
  });
  expect(begun.recent.map((one) => one.id)).toEqual(['a']);
  expect(listUnsavedTabs(begun)).toHaveLength(1);
  const text = '{"resourceType":"CarePlan","id":"b","title":"P"}';
  const state = tabsReducer(begun, {
    type: 'record',
    key: begun.active,
    action: { type: 'saved', version: toVersion({ text, version: 1 }) },
  });
  expect(listRecordTabs(state).map(({ record }) => record.id)).toEqual(['a', 'b']);
  expect(state.active).toBe(listRecordTabs(state)[1]?.key);
  expect(state.active).not.toBe(begun.active);
  expect(state.recent.map((one) => one.id)).toEqual(['b', 'a']);
  expect(listUnsavedTabs(state)).toEqual([]);
  // One that was never stored is gone with its tab.
  expect(tabsReducer(begun, { type: 'close', key: begun.active }).closed).toEqual([]);
});

test('a patient has one tab, which is kept and comes back as what it was', () => {
  const patient = { id: 'p 1/ü', name: 'Ada Example' };
  const opened = [{ type: 'openPatient', patient }, open('1'), { type: 'openPatient', patient }] as const;
  const state = opened.reduce(tabsReducer, initialTabs);
  expect(state.tabs.map(({ kind }) => kind)).toEqual(['patient', 'record']);
  expect(state.active).toBe(state.tabs[0]?.key);
  const saved = { type: 'restored', tabs: state.tabs.map(toTabSeed), active: 0, recent: [] } as const;
  expect(tabsReducer(startTabs(), saved).tabs[0]).toEqual(state.tabs[0]);
  const closed = tabsReducer(state, { type: 'close', key: state.active });
  expect(closed.active).not.toBe(state.active);
  expect(tabsReducer(closed, { type: 'reopen' }).active).toBe(state.active);
});
