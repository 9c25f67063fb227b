import { expect, test } from 'vitest';
import type { ViewId } from '../../core/app/views.ts';
import { emptyRecordText, createTemporaryId } from '../../core/fhir/new-record.ts';
import { toVersion } from '../platform/record-version.ts';
import { formatRecordLabel, getModelPath, searchKey, toTabSeed, listTabKeys } from './tab-kinds.ts';
import {
  initialTabs,
  listRecordTabs,
  createInitialTabs,
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
const nameRecord = (id: string) => ({ type: 'CarePlan' as const, id, title: id });

test('opens a record once, and activates its tab the second time', () => {
  const state = run(open('a'), open('b'), open('a'));
  expect(listRecordTabs(state).map((tab) => tab.record.id)).toEqual(['a', 'b']);
  expect(state.active).toBe(state.tabs[0]?.key);
});

test('opens a tab with a known text or read failure', () => {
  const record = { type: 'CarePlan' as const, id: 'a', title: '' };
  const failure = { sentences: ['No such record.'] };
  const loadedState = run({ type: 'open', record, outcome: { type: 'loaded', version } });
  const failedState = run({ type: 'open', record, outcome: { type: 'unreadable', failure } });
  expect(listRecordTabs(loadedState).map((tab) => [tab.record.phase.name, tab.record.text])).toEqual([
    ['clean', version.text],
  ]);
  expect(listRecordTabs(failedState).map((tab) => tab.record.phase)).toEqual([
    { name: 'unreadable', failure },
  ]);
});

test('opens a view once, and keeps the permanent search', () => {
  const state = run(openQuality, open('a'), openQuality);
  expect(listTabKeys(state)).toEqual(['search', 'view-quality', 'record-1']);
  expect(state.active).toBe('view-quality');
  expect(tabsReducer(state, { type: 'openView', view: 'search' })).toMatchObject({
    active: searchKey,
    tabs: state.tabs,
  });
});

test('shares one tab among the parts of Trust, and returns to the last active part', () => {
  const view = (id: ViewId): TabsAction => ({ type: 'openView', view: id });
  const state = run(view('trust'), open('a'), view('damage'));
  expect(listTabKeys(state)).toEqual(['search', 'view-trust', 'record-1']);
  expect([state.active, getActiveView(state)]).toEqual(['view-trust', 'damage']);
  const reopened = [open('a'), view('trust')].reduce(tabsReducer, state);
  expect(getActiveView(reopened)).toBe('damage');
  expect(getActiveView(run(view('damage'), open('a')))).toBeUndefined();
  // The session stores the part, so that the next start shows it.
  expect(state.tabs.map(toTabSeed)[0]).toEqual({ kind: 'view', view: 'damage' });
  expect(getActiveView(run(view('trust')))).toBe('audit');
});

test('activates the right neighbor of a closed tab, otherwise the left, otherwise the search', () => {
  const threeTabs = run(open('a'), open('b'), openQuality, { type: 'activate', key: 'record-2' });
  const twoTabs = tabsReducer(threeTabs, { type: 'close', key: 'record-2' });
  expect(twoTabs.active).toBe('view-quality');
  const oneTab = tabsReducer(twoTabs, { type: 'close', key: 'view-quality' });
  expect(oneTab.active).toBe('record-1');
  expect(tabsReducer(oneTab, { type: 'close', key: 'record-1' }).active).toBe(searchKey);
});

test('keeps the active tab when another tab closes', () => {
  expect(run(open('a'), open('b'), { type: 'close', key: 'record-1' }).active).toBe('record-2');
});

test('uses a new text model for a reopened record', () => {
  const state = run(open('a'), { type: 'close', key: 'record-1' }, open('a'));
  expect(listRecordTabs(state).map(getModelPath)).toEqual(['chartkeeper:/CarePlan/a/record-2.json']);
});

test('reopens closed tabs, latest first', () => {
  const closed = run(
    open('a'),
    openQuality,
    { type: 'close', key: 'record-1' },
    { type: 'close', key: 'view-quality' },
  );
  const firstReopened = tabsReducer(closed, { type: 'reopen' });
  expect(firstReopened.active).toBe('view-quality');
  const secondReopened = tabsReducer(firstReopened, { type: 'reopen' });
  expect(findRecordTab(secondReopened, 'CarePlan', 'a')?.key).toBe(secondReopened.active);
  expect(tabsReducer(secondReopened, { type: 'reopen' })).toBe(secondReopened);
});

test('steps cyclically through the tabs and the search', () => {
  const state = run(open('a'), open('b'), { type: 'step', delta: 1 });
  expect(state.active).toBe(searchKey);
  expect(tabsReducer(state, { type: 'step', delta: -1 }).active).toBe('record-2');
});

test('restores the tabs of a session in order, with the active one', () => {
  const tabs = run(open('a'), openQuality, open('b')).tabs.map(toTabSeed);
  const state = run({ type: 'restored', tabs, active: 1, recent: [nameRecord('c')] });
  expect(state.tabs.map(toTabSeed)).toEqual(tabs);
  expect(state.active).toBe('view-quality');
  expect(state.recent).toEqual([nameRecord('c')]);
  expect(run({ type: 'restored', tabs, active: -1, recent: [] }).active).toBe(searchKey);
});

test('keeps a tab active, with its key, if it was opened before the session arrived', () => {
  const early = run(open('x'));
  const tabs = [open('a'), open('x')].map((action) => run(action).tabs.map(toTabSeed)).flat();
  const state = tabsReducer(early, { type: 'restored', tabs, active: 0, recent: [] });
  expect(listRecordTabs(state).map((tab) => tab.record.id)).toEqual(['a', 'x']);
  expect(state.active).toBe(findRecordTab(state, 'CarePlan', 'x')?.key);
  expect(findRecordTab(state, 'CarePlan', 'x')).toBe(early.tabs[0]);
});

test('applies a record action only to the record of its tab', () => {
  const state = run(
    open('a'),
    open('b'),
    { type: 'record', key: 'record-1', action: { type: 'loaded', version } },
    { type: 'record', key: 'record-1', action: { type: 'edited', text: '{}' } },
  );
  expect(listUnsavedTabs(state).map((tab) => tab.key)).toEqual(['record-1']);
  expect(listRecordTabs(state).map(formatRecordLabel)).toEqual(['Plan', 'b']);
});

test('returns the same state for an action without effect, and keeps the other tabs', () => {
  const state = run(open('a'), open('b'));
  const loading: TabsAction = { type: 'record', key: 'record-1', action: { type: 'loading' } };
  expect(tabsReducer(state, loading)).toBe(state);
  expect(tabsReducer(state, { ...loading, key: 'record-9' })).toBe(state);
  const nextState = tabsReducer(state, { ...loading, action: { type: 'loaded', version } });
  expect(nextState.tabs[0]).not.toBe(state.tabs[0]);
  expect(nextState.tabs[1]).toBe(state.tabs[1]);
});

test('never reuses tab keys or text models across connections', () => {
  const record = { type: 'CarePlan', id: 'a', title: 'A' } as const;
  const paths = [createInitialTabs(), createInitialTabs(), createInitialTabs()].flatMap((start) =>
    listRecordTabs(tabsReducer(start, { type: 'open', record })).map(getModelPath),
  );
  expect(new Set(paths).size).toBe(3);
});

const createSearched = (key: string, ...pairs: [string, string][]): TabsAction => ({
  type: 'setTabQuery',
  key,
  tabQuery: { query: { type: 'CarePlan', pairs }, total: 2 },
});

test('opens a second search, closes it, and reopens it with its query', () => {
  const state = run(open('a'), { type: 'openSearch' }, createSearched('search-2', ['status', 'draft']));
  expect(listTabKeys(state)).toEqual([searchKey, 'search-2', 'record-1']);
  expect(getActiveView(state)).toBe('search');
  const closed = tabsReducer(state, { type: 'close', key: 'search-2' });
  expect([closed.search, listTabKeys(closed)]).toEqual([searchKey, [searchKey, 'record-1']]);
  const reopened = tabsReducer(closed, { type: 'reopen' });
  expect(reopened.tabs.map(toTabSeed)).toContainEqual({
    kind: 'search',
    query: { type: 'CarePlan', pairs: [['status', 'draft']] },
  });
  expect(reopened.search).toBe(reopened.active);
});

test('activates the last active search, not the first', () => {
  const state = run({ type: 'openSearch' }, open('a'), { type: 'showSearch' });
  expect(state.active).toBe('search-1');
  const firstActive = run({ type: 'openSearch' }, { type: 'activate', key: searchKey }, open('a'));
  expect(tabsReducer(firstActive, { type: 'openView', view: 'search' }).active).toBe(searchKey);
});

test('restores searches with the session, including the active one', () => {
  const query = { type: 'CarePlan', pairs: [] } as const;
  const tabs = [{ kind: 'search' }, { kind: 'search', query: { ...query, pairs: [] } }] as const;
  const state = run({ type: 'restored', tabs, active: 1, recent: [] });
  expect(state.tabs.map(toTabSeed)).toEqual(tabs);
  expect(state.active).toBe(state.tabs[1]?.key);
});

test('changes the active tab only by opening, stepping and closing', () => {
  const state = run(open('a'), openQuality);
  const key = state.tabs[0]?.key ?? '';
  expect(changesActiveTab(state, { type: 'activate', key })).toBe(true);
  expect(changesActiveTab(state, { type: 'step', delta: 1 })).toBe(true);
  expect(changesActiveTab(state, { type: 'close', key: state.active })).toBe(true);
  expect(changesActiveTab(state, { type: 'close', key })).toBe(false);
  expect(changesActiveTab(state, openQuality)).toBe(false);
  expect(changesActiveTab(state, { type: 'restored', tabs: [], active: -1, recent: [] })).toBe(false);
});

test('replaces the tab of a new record after its first save', () => {
  const id = createTemporaryId('7');
  const newState = run(open('a'), {
    type: 'open',
    record: { type: 'CarePlan', id, title: 'New care plan' },
    outcome: {
      type: 'restored',
      text: '{"resourceType":"CarePlan","title":"P"}',
      base: toVersion({ text: emptyRecordText('CarePlan') }),
    },
  });
  expect(newState.recent.map((record) => record.id)).toEqual(['a']);
  expect(listUnsavedTabs(newState)).toHaveLength(1);
  const text = '{"resourceType":"CarePlan","id":"b","title":"P"}';
  const state = tabsReducer(newState, {
    type: 'record',
    key: newState.active,
    action: { type: 'saved', version: toVersion({ text, version: 1 }) },
  });
  expect(listRecordTabs(state).map(({ record }) => record.id)).toEqual(['a', 'b']);
  expect(state.active).toBe(listRecordTabs(state)[1]?.key);
  expect(state.active).not.toBe(newState.active);
  expect(state.recent.map((record) => record.id)).toEqual(['b', 'a']);
  expect(listUnsavedTabs(state)).toEqual([]);
  // A record that was never saved cannot be reopened.
  expect(tabsReducer(newState, { type: 'close', key: newState.active }).closed).toEqual([]);
});

test('opens one tab per patient, and restores it from the session', () => {
  const patient = { id: 'p 1/ü', name: 'Ada Example' };
  const actions = [{ type: 'openPatient', patient }, open('1'), { type: 'openPatient', patient }] as const;
  const state = actions.reduce(tabsReducer, initialTabs);
  expect(state.tabs.map(({ kind }) => kind)).toEqual(['patient', 'record']);
  expect(state.active).toBe(state.tabs[0]?.key);
  const session = { type: 'restored', tabs: state.tabs.map(toTabSeed), active: 0, recent: [] } as const;
  expect(tabsReducer(createInitialTabs(), session).tabs[0]).toEqual(state.tabs[0]);
  const closed = tabsReducer(state, { type: 'close', key: state.active });
  expect(closed.active).not.toBe(state.active);
  expect(tabsReducer(closed, { type: 'reopen' }).active).toBe(state.active);
});
