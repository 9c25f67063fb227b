/**
 * renderer/app is the frame: providers, tabs, side panel, status bar, commands. Only the frame knows every feature.
 * Called by main.tsx. Invariant: only its own reducer changes a tab's record.
 */
import type { SearchQuery } from '../../core/app/searches.ts';
import type { NamedPatient, NamedRecord } from '../../core/app/session.ts';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { isNewRecord } from '../../core/fhir/new-record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import {
  isUnsaved,
  openRecord,
  recordReducer,
  type ReadOutcome,
  type RecordAction,
  type RecordState,
} from '../features/record/record-state.ts';
import {
  formatRecordLabel,
  isReopenable,
  searchKey,
  listSearchKeys,
  toTabSeed,
  listTabKeys,
  type TabQuery,
  type PatientTab,
  type RecordTab,
  type SearchTab,
  type Tab,
  type TabSeed,
  type ViewTab,
} from './tab-kinds.ts';

/** Content with which a tab can be opened. */
type OpenOutcome = ReadOutcome | Extract<RecordAction, { type: 'restored' }>;

/** State of the tab bar and of the open records. */
export interface TabsState {
  /** `search`, or the key of a tab. */
  readonly active: string;
  /** Key of the last active search. */
  readonly search: string;
  /** Query of the permanent search. */
  readonly tabQuery?: TabQuery;
  readonly tabs: readonly Tab[];
  /** Number of opened tabs; makes keys unique. */
  readonly openCount: number;
  /** Closed tabs that can be reopened, latest first. */
  readonly closed: readonly TabSeed[];
  /** Opened records, latest first. */
  readonly recent: readonly NamedRecord[];
}

export type TabsAction =
  /** `outcome` is the result of reading, or a new text, if known before the tab exists. */
  | { readonly type: 'open'; readonly record: NamedRecord; readonly outcome?: OpenOutcome | undefined }
  | { readonly type: 'openView'; readonly view: ViewId }
  | { readonly type: 'openPatient'; readonly patient: NamedPatient }
  /** Activates the last active search. */
  | { readonly type: 'showSearch' }
  | { readonly type: 'openSearch'; readonly query?: SearchQuery }
  | { readonly type: 'setTabQuery'; readonly key: string; readonly tabQuery: TabQuery }
  | { readonly type: 'activate'; readonly key: string }
  | { readonly type: 'step'; readonly delta: 1 | -1 }
  | { readonly type: 'close'; readonly key: string }
  | { readonly type: 'reopen' }
  | {
      readonly type: 'restored';
      readonly tabs: readonly TabSeed[];
      /** Index of the active tab; -1 is the search. */
      readonly active: number;
      readonly recent: readonly NamedRecord[];
    }
  | { readonly type: 'record'; readonly key: string; readonly action: RecordAction };

/** State with only the permanent search. */
export const initialTabs: TabsState = {
  active: searchKey,
  search: searchKey,
  tabs: [],
  openCount: 0,
  closed: [],
  recent: [],
};

/** Keys reserved for each connection, so that connections never share a key. */
const openingsPerConnection = 100_000;
let connectionCount = 0;

/** Returns a state without tabs, with keys that no earlier connection has used. */
export function createInitialTabs(): TabsState {
  const openCount = connectionCount * openingsPerConnection;
  connectionCount += 1;
  return { ...initialTabs, openCount };
}

const maxRecent = 20;

/** Returns the next state of the tabs and their records. */
export function tabsReducer(state: TabsState, action: TabsAction): TabsState {
  const next = reduceTabs(state, action);
  const keys = listSearchKeys(next);
  const search = [next.active, next.search].find((key) => keys.includes(key)) ?? searchKey;
  return search === next.search ? next : { ...next, search };
}

function reduceTabs(state: TabsState, action: TabsAction): TabsState {
  switch (action.type) {
    case 'open':
      return open(state, action.record, action.outcome);
    case 'openView':
      return openView(state, action.view);
    case 'openPatient':
      return openPatient(state, action.patient);
    case 'showSearch':
      return { ...state, active: state.search };
    case 'openSearch':
      return openSearch(state, action.query);
    case 'setTabQuery':
      return setTabQuery(state, action.key, action.tabQuery);
    case 'activate':
      return { ...state, active: action.key };
    case 'step': {
      const keys = listTabKeys(state);
      const targetIndex = keys.indexOf(state.active) + action.delta;
      return { ...state, active: keys[(targetIndex + keys.length) % keys.length] ?? searchKey };
    }
    case 'close':
      return close(state, action.key);
    case 'reopen':
      return reopen(state);
    case 'restored':
      return restoreTabs(state, action);
    case 'record':
      return reduceRecord(state, action.key, action.action);
  }
}

/** Returns true if an action of the user activates another tab. Restoring a session is no such action. */
export function changesActiveTab(state: TabsState, action: TabsAction): boolean {
  if (action.type === 'record' || action.type === 'restored') return false;
  return tabsReducer(state, action).active !== state.active;
}

function open(state: TabsState, { type, id, title }: NamedRecord, outcome?: OpenOutcome): TabsState {
  const existing = findRecordTab(state, type, id);
  const name = existing ? formatRecordLabel(existing) : title || id;
  const recent = isNewRecord(id) ? state.recent : addRecent(state.recent, { type, id, title: name });
  if (existing) return { ...state, active: existing.key, recent };
  const openCount = state.openCount + 1;
  const key = `record-${openCount}`;
  const unloadedRecord = openRecord(type, id);
  const record = outcome ? recordReducer(unloadedRecord, outcome) : unloadedRecord;
  const tab: RecordTab = { kind: 'record', key, hint: title, record };
  return { ...state, active: key, openCount, tabs: [...state.tabs, tab], recent };
}

function openView(state: TabsState, view: ViewId): TabsState {
  if (view === 'search') return { ...state, active: state.search };
  const key = getViewKey(view);
  const isOpen = state.tabs.some((tab) => tab.key === key);
  // Trust without a part shows the last active part.
  if (isOpen && view === 'trust') return { ...state, active: key };
  const viewTab: ViewTab = { kind: 'view', key, view: view === 'trust' ? 'audit' : view };
  const tabs = isOpen ? state.tabs.map((tab) => (tab.key === key ? viewTab : tab)) : [...state.tabs, viewTab];
  return { ...state, active: key, tabs };
}

function openPatient(state: TabsState, patient: NamedPatient): TabsState {
  const key = `patient-${encodeURIComponent(patient.id)}`;
  if (state.tabs.some((tab) => tab.key === key)) return { ...state, active: key };
  const tab: PatientTab = { kind: 'patient', key, patient };
  return { ...state, active: key, tabs: [...state.tabs, tab] };
}

function openSearch(state: TabsState, query?: SearchQuery): TabsState {
  const openCount = state.openCount + 1;
  const tab: SearchTab = {
    kind: 'search',
    key: `search-${openCount}`,
    ...(query && { tabQuery: { query } }),
  };
  return { ...state, active: tab.key, openCount, tabs: [...state.tabs, tab] };
}

function setTabQuery(state: TabsState, key: string, tabQuery: TabQuery): TabsState {
  if (key === searchKey) return { ...state, tabQuery };
  return {
    ...state,
    tabs: state.tabs.map((tab) => (tab.kind === 'search' && tab.key === key ? { ...tab, tabQuery } : tab)),
  };
}

function getViewKey(view: ViewId): string {
  return `view-${trustPartOf(view) ? 'trust' : view}`;
}

/** Returns the active view; undefined if a record is active. */
export function getActiveView(state: TabsState): ViewId | undefined {
  const { active, tabs } = state;
  if (listSearchKeys(state).includes(active)) return 'search';
  const tab = tabs.find(({ key }) => key === active);
  return tab?.kind === 'view' ? tab.view : undefined;
}

function openSeed(state: TabsState, tab: TabSeed): TabsState {
  switch (tab.kind) {
    case 'view':
      return openView(state, tab.view);
    case 'search':
      return openSearch(state, tab.query);
    case 'record':
      return open(state, tab.record);
    case 'patient':
      return openPatient(state, tab.patient);
  }
}

function reopen(state: TabsState): TabsState {
  const [lastClosed, ...closed] = state.closed;
  return lastClosed ? { ...openSeed(state, lastClosed), closed } : state;
}

/** Puts the tabs of the session before those opened since. Activates the session's tab if there are none of those. */
function restoreTabs(state: TabsState, session: Extract<TabsAction, { type: 'restored' }>): TabsState {
  const sessionState = session.tabs.reduce(openSeed, { ...initialTabs, openCount: state.openCount });
  const sessionTabs = sessionState.tabs.map((tab) => findSameTab(state, tab) ?? tab);
  return {
    ...sessionState,
    tabs: [...sessionTabs, ...state.tabs.filter((tab) => !sessionTabs.includes(tab))],
    active: state.tabs.length > 0 ? state.active : getRestoredKey(state, session),
    recent: state.recent.reduceRight(addRecent, session.recent),
  };
}

function getRestoredKey(
  { openCount }: TabsState,
  { tabs, active }: Extract<TabsAction, { type: 'restored' }>,
): string {
  return tabs.slice(0, active + 1).reduce(openSeed, { ...initialTabs, openCount }).active;
}

/** Returns the tab of a state that shows the same content as a tab of another state. */
function findSameTab(state: TabsState, tab: Tab): Tab | undefined {
  return tab.kind === 'record'
    ? findRecordTab(state, tab.record.type, tab.record.id)
    : state.tabs.find(({ key }) => key === tab.key);
}

function addRecent(recent: readonly NamedRecord[], record: NamedRecord): readonly NamedRecord[] {
  const otherRecords = recent.filter(({ type, id }) => type !== record.type || id !== record.id);
  return [record, ...otherRecords].slice(0, maxRecent);
}

function reduceRecord(state: TabsState, key: string, action: RecordAction): TabsState {
  const tab = listRecordTabs(state).find((candidate) => candidate.key === key);
  if (!tab) return state;
  const record = recordReducer(tab.record, action);
  // The same state avoids a render.
  if (record === tab.record) return state;
  if (record.id !== tab.record.id) return replaceNewTab(state, tab, record);
  return { ...state, tabs: state.tabs.map((openTab) => (openTab === tab ? { ...tab, record } : openTab)) };
}

/** Replaces the tab of a record that got its id. The new tab has an empty undo stack, so undo stops at the save. */
function replaceNewTab(state: TabsState, tab: RecordTab, record: RecordState): TabsState {
  const openCount = state.openCount + 1;
  const next: RecordTab = { kind: 'record', key: `record-${openCount}`, hint: '', record };
  const { type, id } = record;
  return {
    ...state,
    openCount,
    tabs: state.tabs.map((openTab) => (openTab === tab ? next : openTab)),
    active: state.active === tab.key ? next.key : state.active,
    recent: addRecent(state.recent, { type, id, title: formatRecordLabel(next) }),
  };
}

/** Returns the query of the last active search. */
export function getActiveSearch({ search, tabQuery, tabs }: TabsState): SearchQuery | undefined {
  const tab = tabs.find(({ key }) => key === search);
  return (tab?.kind === 'search' ? tab.tabQuery : tabQuery)?.query;
}

/** Returns the tabs of records. */
export function listRecordTabs({ tabs }: TabsState): readonly RecordTab[] {
  return tabs.filter((tab) => tab.kind === 'record');
}

/** Returns the tab of a record, if open. */
export function findRecordTab(state: TabsState, type: ResourceType, id: string): RecordTab | undefined {
  return listRecordTabs(state).find(({ record }) => record.type === type && record.id === id);
}

/** Closes a tab. If it was active, its right neighbor becomes active, otherwise the left one, otherwise the search. */
function close(state: TabsState, key: string): TabsState {
  const index = state.tabs.findIndex((tab) => tab.key === key);
  const closing = state.tabs[index];
  if (!closing) return state;
  const tabs = state.tabs.filter((tab) => tab.key !== key);
  const neighbour = tabs[index] ?? tabs[index - 1];
  const active = state.active === key ? (neighbour?.key ?? searchKey) : state.active;
  const closed = isReopenable(closing)
    ? [toTabSeed(closing), ...state.closed].slice(0, maxRecent)
    : state.closed;
  return { ...state, tabs, active, closed };
}

/** Returns the record tabs with unsaved changes. */
export function listUnsavedTabs(state: TabsState): readonly RecordTab[] {
  return listRecordTabs(state).filter(({ record }) => isUnsaved(record));
}
