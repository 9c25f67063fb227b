/**
 * renderer/app is the frame: providers, tabs, side panel, status bar, commands. It alone knows every feature.
 * Called by main.tsx. Invariant: a tab's record is changed only by its own reducer, and closed only when nothing is lost.
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
  labelOfRecord,
  lasts,
  searchKey,
  searchKeys,
  seedOf,
  tabKeys,
  type Asked,
  type PatientTab,
  type RecordTab,
  type SearchTab,
  type Tab,
  type TabSeed,
  type ViewTab,
} from './tab-kinds.ts';

/** What a tab can be opened with. */
type OpenOutcome = ReadOutcome | Extract<RecordAction, { type: 'restored' }>;

export interface TabsState {
  /** `search`, or the key of a tab. */
  readonly active: string;
  /** Key of the search that was in front last. */
  readonly search: string;
  /** What the search that is always open was asked for. */
  readonly asked?: Asked;
  readonly tabs: readonly Tab[];
  /** Counts openings, for keys that are never used twice. */
  readonly opened: number;
  /** Closed tabs that can be opened again, the last one first. */
  readonly closed: readonly TabSeed[];
  /** Records that were opened, the last one first. */
  readonly recent: readonly NamedRecord[];
}

export type TabsAction =
  /** With what its reading came to, or with text of its own, where that is known before there is a tab for it. */
  | { readonly type: 'open'; readonly record: NamedRecord; readonly outcome?: OpenOutcome | undefined }
  | { readonly type: 'openView'; readonly view: ViewId }
  | { readonly type: 'openPatient'; readonly patient: NamedPatient }
  /** Brings the search to the front that was there last. */
  | { readonly type: 'showSearch' }
  | { readonly type: 'openSearch'; readonly query?: SearchQuery }
  | { readonly type: 'searched'; readonly key: string; readonly asked: Asked }
  | { readonly type: 'activate'; readonly key: string }
  | { readonly type: 'step'; readonly by: 1 | -1 }
  | { readonly type: 'close'; readonly key: string }
  | { readonly type: 'reopen' }
  | {
      readonly type: 'restored';
      readonly tabs: readonly TabSeed[];
      /** Index of the tab that was in front; -1 is the search. */
      readonly active: number;
      readonly recent: readonly NamedRecord[];
    }
  | { readonly type: 'record'; readonly key: string; readonly action: RecordAction };

export const initialTabs: TabsState = {
  active: searchKey,
  search: searchKey,
  tabs: [],
  opened: 0,
  closed: [],
  recent: [],
};

/** Openings that are set aside for each server that the page turns to, so that no key is ever used twice. */
const openingsPerConnection = 100_000;
let connectionCount = 0;

/** No tab but the search, with keys that no server before has used. */
export function startTabs(): TabsState {
  const openCount = connectionCount * openingsPerConnection;
  connectionCount += 1;
  return { ...initialTabs, opened: openCount };
}

const maxRecent = 20;

/** The next state of the tab strip and of the records in it; pure. */
export function tabsReducer(state: TabsState, action: TabsAction): TabsState {
  const next = reduceTabs(state, action);
  const keys = searchKeys(next);
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
    case 'searched':
      return setTabQuery(state, action.key, action.asked);
    case 'activate':
      return { ...state, active: action.key };
    case 'step': {
      const keys = tabKeys(state);
      const targetIndex = keys.indexOf(state.active) + action.by;
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

/** Whether another tab comes to the front by what someone does; what was open at last comes back by itself. */
export function turnsView(state: TabsState, action: TabsAction): boolean {
  if (action.type === 'record' || action.type === 'restored') return false;
  return tabsReducer(state, action).active !== state.active;
}

function open(state: TabsState, { type, id, title }: NamedRecord, outcome?: OpenOutcome): TabsState {
  const existing = tabOf(state, type, id);
  const name = existing ? labelOfRecord(existing) : title || id;
  const recent = isNewRecord(id) ? state.recent : addRecent(state.recent, { type, id, title: name });
  if (existing) return { ...state, active: existing.key, recent };
  const openCount = state.opened + 1;
  const key = `record-${openCount}`;
  const unloadedRecord = openRecord(type, id);
  const record = outcome ? recordReducer(unloadedRecord, outcome) : unloadedRecord;
  const tab: RecordTab = { kind: 'record', key, hint: title, record };
  return { ...state, active: key, opened: openCount, tabs: [...state.tabs, tab], recent };
}

function openView(state: TabsState, view: ViewId): TabsState {
  if (view === 'search') return { ...state, active: state.search };
  const key = getViewKey(view);
  const isOpen = state.tabs.some((tab) => tab.key === key);
  // Trust without a part leads to the one that was in front.
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
  const openCount = state.opened + 1;
  const tab: SearchTab = { kind: 'search', key: `search-${openCount}`, ...(query && { asked: { query } }) };
  return { ...state, active: tab.key, opened: openCount, tabs: [...state.tabs, tab] };
}

function setTabQuery(state: TabsState, key: string, tabQuery: Asked): TabsState {
  if (key === searchKey) return { ...state, asked: tabQuery };
  return {
    ...state,
    tabs: state.tabs.map((tab) => (tab.kind === 'search' && tab.key === key ? { ...tab, asked: tabQuery } : tab)),
  };
}

function getViewKey(view: ViewId): string {
  return `view-${trustPartOf(view) ? 'trust' : view}`;
}

/** The view in front; undefined where a record is. */
export function getActiveView(state: TabsState): ViewId | undefined {
  const { active, tabs } = state;
  if (searchKeys(state).includes(active)) return 'search';
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

/** What was open at last comes before what has been opened since, and to the front where nothing has been. */
function restoreTabs(state: TabsState, session: Extract<TabsAction, { type: 'restored' }>): TabsState {
  const sessionState = session.tabs.reduce(openSeed, { ...initialTabs, opened: state.opened });
  const sessionTabs = sessionState.tabs.map((tab) => findSameTab(state, tab) ?? tab);
  return {
    ...sessionState,
    tabs: [...sessionTabs, ...state.tabs.filter((tab) => !sessionTabs.includes(tab))],
    active: state.tabs.length > 0 ? state.active : getRestoredKey(state, session),
    recent: state.recent.reduceRight(addRecent, session.recent),
  };
}

function getRestoredKey({ opened: openCount }: TabsState, { tabs, active }: Extract<TabsAction, { type: 'restored' }>): string {
  return tabs.slice(0, active + 1).reduce(openSeed, { ...initialTabs, opened: openCount }).active;
}

/** The tab of a state that shows the same as another's. */
function findSameTab(state: TabsState, tab: Tab): Tab | undefined {
  return tab.kind === 'record'
    ? tabOf(state, tab.record.type, tab.record.id)
    : state.tabs.find(({ key }) => key === tab.key);
}

function addRecent(recent: readonly NamedRecord[], record: NamedRecord): readonly NamedRecord[] {
  const otherRecords = recent.filter(({ type, id }) => type !== record.type || id !== record.id);
  return [record, ...otherRecords].slice(0, maxRecent);
}

function reduceRecord(state: TabsState, key: string, action: RecordAction): TabsState {
  const tab = recordTabs(state).find((candidate) => candidate.key === key);
  if (!tab) return state;
  const record = recordReducer(tab.record, action);
  // Nothing changed: nothing is drawn.
  if (record === tab.record) return state;
  if (record.id !== tab.record.id) return replaceNewTab(state, tab, record);
  return { ...state, tabs: state.tabs.map((openTab) => (openTab === tab ? { ...tab, record } : openTab)) };
}

/** A record that got its id goes on in the same place, in a tab of its own: undo does not lead behind its storing. */
function replaceNewTab(state: TabsState, tab: RecordTab, record: RecordState): TabsState {
  const openCount = state.opened + 1;
  const next: RecordTab = { kind: 'record', key: `record-${openCount}`, hint: '', record };
  const { type, id } = record;
  return {
    ...state,
    opened: openCount,
    tabs: state.tabs.map((openTab) => (openTab === tab ? next : openTab)),
    active: state.active === tab.key ? next.key : state.active,
    recent: addRecent(state.recent, { type, id, title: labelOfRecord(next) }),
  };
}

/** What the search was asked for that was in front last. */
export function getActiveSearch({ search, asked: tabQuery, tabs }: TabsState): SearchQuery | undefined {
  const tab = tabs.find(({ key }) => key === search);
  return (tab?.kind === 'search' ? tab.asked : tabQuery)?.query;
}

/** The record tabs alone. */
export function recordTabs({ tabs }: TabsState): readonly RecordTab[] {
  return tabs.filter((tab) => tab.kind === 'record');
}

/** The tab that holds a record, if it is open. */
export function tabOf(state: TabsState, type: ResourceType, id: string): RecordTab | undefined {
  return recordTabs(state).find(({ record }) => record.type === type && record.id === id);
}

/** Closing the active tab activates its right neighbour, else its left, else the search. */
function close(state: TabsState, key: string): TabsState {
  const index = state.tabs.findIndex((tab) => tab.key === key);
  const closing = state.tabs[index];
  if (!closing) return state;
  const tabs = state.tabs.filter((tab) => tab.key !== key);
  const neighbour = tabs[index] ?? tabs[index - 1];
  const active = state.active === key ? (neighbour?.key ?? searchKey) : state.active;
  const closed = lasts(closing) ? [seedOf(closing), ...state.closed].slice(0, maxRecent) : state.closed;
  return { ...state, tabs, active, closed };
}

/** The record tabs that hold something unsaved. */
export function unsavedTabs(state: TabsState): readonly RecordTab[] {
  return recordTabs(state).filter(({ record }) => isUnsaved(record));
}
