import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { RecordAddress } from '../features/search/result-rows.ts';
import { useRecordIo, type RecordTarget } from '../features/record/use-record-io.ts';
import { disposeModel } from '../platform/monaco-loader.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import {
  initialTabs,
  labelOf,
  modelPathOf,
  nextKey,
  tabOf,
  tabsReducer,
  type RecordTab,
  type TabsAction,
  type TabsState,
} from './tabs-state.ts';

/** The open tabs and what can be done with them. */
export function useWorkbench() {
  const [tabs, dispatch] = useReducer(tabsReducer, initialTabs);
  const io = useRecordIo();
  const announce = useAnnounce();
  const latest = useRef<TabsState>(tabs);
  useEffect(() => {
    latest.current = tabs;
  }, [tabs]);

  const open = useCallback(
    ({ type, id, title }: RecordAddress) => {
      const state = latest.current;
      const action: TabsAction = { type: 'open', record: type, id, hint: title };
      dispatch(action);
      if (tabOf(state, type, id)) return;
      const key = nextKey(state);
      const tab = tabsReducer(state, action).tabs.find((one) => one.key === key);
      if (tab) void io.read(targetOf(tab, dispatch));
    },
    [io],
  );

  const close = useCallback(
    (tab: RecordTab) => {
      dispatch({ type: 'close', key: tab.key });
      announce(text.tabs.closed(labelOf(tab)));
    },
    [announce],
  );

  useModelDisposal(tabs.tabs);
  return { tabs, dispatch, io, open, close };
}

/** What the requests of a tab need of it. */
export function targetOf(tab: RecordTab, dispatch: (action: TabsAction) => void): RecordTarget {
  return {
    state: tab.record,
    modelPath: modelPathOf(tab),
    dispatch: (action) => dispatch({ type: 'record', key: tab.key, action }),
  };
}

/** Frees the models of closed tabs, after the editor has moved on to another. */
function useModelDisposal(tabs: readonly RecordTab[]): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const paths = new Set(tabs.map(modelPathOf));
    for (const path of known.current) if (!paths.has(path)) disposeModel(path);
    known.current = paths;
  }, [tabs]);
}
