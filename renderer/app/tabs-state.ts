/**
 * renderer/app is the frame: providers, tabs, side panel, status bar, commands. It alone knows every feature.
 * Called by main.tsx. Invariant: a tab's record is changed only by its own reducer, and closed only when nothing is lost.
 */
import type { ResourceType } from '../../core/fhir/resource.ts';
import {
  isUnsaved,
  openRecord,
  recordReducer,
  titleOf,
  type RecordAction,
  type RecordState,
} from '../features/record/record-state.ts';

export const searchKey = 'search';

/** One open record. The key is its own for each opening, so that a reopened record begins with a fresh undo stack. */
export interface RecordTab {
  readonly key: string;
  /** What the search said it is called, until the record is read. */
  readonly hint: string;
  readonly record: RecordState;
}

export interface TabsState {
  /** `search`, or the key of a record tab. */
  readonly active: string;
  readonly tabs: readonly RecordTab[];
  readonly opened: number;
}

export type TabsAction =
  | { readonly type: 'open'; readonly record: ResourceType; readonly id: string; readonly hint: string }
  | { readonly type: 'activate'; readonly key: string }
  | { readonly type: 'close'; readonly key: string }
  | { readonly type: 'record'; readonly key: string; readonly action: RecordAction };

export const initialTabs: TabsState = { active: searchKey, tabs: [], opened: 0 };

/** The next state of the tab strip and of the records in it; pure. */
export function tabsReducer(state: TabsState, action: TabsAction): TabsState {
  switch (action.type) {
    case 'open':
      return open(state, action);
    case 'activate':
      return { ...state, active: action.key };
    case 'close':
      return close(state, action.key);
    case 'record':
      return {
        ...state,
        tabs: state.tabs.map((tab) =>
          tab.key === action.key ? { ...tab, record: recordReducer(tab.record, action.action) } : tab,
        ),
      };
  }
}

function open(
  state: TabsState,
  { record: type, id, hint }: Extract<TabsAction, { type: 'open' }>,
): TabsState {
  const existing = tabOf(state, type, id);
  if (existing) return { ...state, active: existing.key };
  const opened = state.opened + 1;
  const key = nextKey(state);
  return { active: key, opened, tabs: [...state.tabs, { key, hint, record: openRecord(type, id) }] };
}

/** The key that the next opened record will have. */
export function nextKey(state: TabsState): string {
  return `record-${state.opened + 1}`;
}

/** The tab that holds a record, if it is open. */
export function tabOf({ tabs }: TabsState, type: ResourceType, id: string): RecordTab | undefined {
  return tabs.find(({ record }) => record.type === type && record.id === id);
}

/** Closing the active tab activates its right neighbour, else its left, else the search. */
function close(state: TabsState, key: string): TabsState {
  const index = state.tabs.findIndex((tab) => tab.key === key);
  if (index === -1) return state;
  const tabs = state.tabs.filter((tab) => tab.key !== key);
  const neighbour = tabs[index] ?? tabs[index - 1];
  const active = state.active === key ? (neighbour?.key ?? searchKey) : state.active;
  return { ...state, tabs, active };
}

/** The record tabs that hold something unsaved. */
export function unsavedTabs({ tabs }: TabsState): readonly RecordTab[] {
  return tabs.filter(({ record }) => isUnsaved(record));
}

/** What a tab is called: the record's title, else what the search called it, else its id. */
export function labelOf({ record, hint }: RecordTab): string {
  return record.base ? titleOf(record) : hint || record.id;
}

/** The URI of a tab's text model; it names the type, so that a schema can be bound to it. */
export function modelPathOf({ key, record }: RecordTab): string {
  return `chartkeeper:/${record.type}/${record.id}/${key}.json`;
}
