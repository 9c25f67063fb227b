import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { blank, createTemporaryId } from '../../core/fhir/new-record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { useDraftKeeping } from '../features/record/drafts/use-draft-keeping.ts';
import { useDraftReturn } from '../features/record/drafts/use-draft-return.ts';
import type { RecordAction } from '../features/record/record-state.ts';
import { toVersion } from '../platform/record-version.ts';
import {
  useRecordRequests,
  type RecordRequests,
  type RecordTarget,
} from '../features/record/use-record-io.ts';
import { disposeModel } from '../platform/monaco-loader.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useStable } from '../ui/use-stable.ts';
import {
  startTabs,
  recordTabs,
  tabsReducer,
  turnsView,
  type TabsAction,
  type TabsState,
} from './tabs-state.ts';
import { labelOf, modelPathOf, type Asked, type RecordTab, type Tab } from './tab-kinds.ts';
import { useOpening } from './use-opening.ts';
import { useReading } from './use-reading.ts';

/** The open tabs and what can be done with them. */
export function useWorkbench() {
  const io = useRecordRequests();
  const tabStore = useTabs();
  const { tabs, now, dispatch } = tabStore;
  const open = useOpening(now, io, dispatch);
  const actions = useTabActions(dispatch);
  useRecordLoading(tabStore, io);
  useModelDisposal(tabs);
  return { tabs, dispatch, io, open, actions };
}

/** The tabs as they are drawn, and as they are now. */
function useTabs() {
  const [tabs, change] = useReducer(tabsReducer, undefined, startTabs);
  const announce = useAnnounce();
  // Of the last drawing before the effects of a view that opens, whose waiting command may open it once more.
  const now = useStable(() => tabs);
  const dispatch = useCallback(
    (action: TabsAction) => {
      // What happened in one view is old news in the next.
      if (turnsView(now(), action)) announce('');
      change(action);
    },
    [announce, now],
  );
  return { tabs, now, dispatch };
}

/** What can be done with tabs; each stays the same from draw to draw. */
function useTabActions(dispatch: (action: TabsAction) => void) {
  const announce = useAnnounce();
  return useMemo(
    () => ({
      /** A record of one's own, compared with what all records of its type have in common. */
      begin: (type: ResourceType, json: string) => {
        const id = createTemporaryId(crypto.randomUUID());
        const base = toVersion({ text: blank(type) });
        dispatch({
          type: 'open',
          record: { type, id, title: text.types.newRecord(type) },
          outcome: { type: 'restored', text: json, base },
        });
        announce(text.record.begun(text.types.newRecord(type)));
      },
      openView: (view: ViewId) => dispatch({ type: 'openView', view }),
      openPatient: (patient: NamedPatient) => dispatch({ type: 'openPatient', patient }),
      activate: (key: string) => dispatch({ type: 'activate', key }),
      showSearch: () => dispatch({ type: 'showSearch' }),
      openSearch: () => dispatch({ type: 'openSearch' }),
      noteAsked: (key: string, tabQuery: Asked) => dispatch({ type: 'searched', key, asked: tabQuery }),
      close: (tab: Tab) => {
        dispatch({ type: 'close', key: tab.key });
        announce(text.tabs.closed(labelOf(tab)));
      },
    }),
    [announce, dispatch],
  );
}

/** Reads the records of the tabs as they are looked at, and keeps what is written in them as drafts. */
function useRecordLoading(
  { tabs, now, dispatch }: ReturnType<typeof useTabs>,
  { read: readRecord, renew: refreshRecord, look: checkVersion }: RecordRequests,
): void {
  const readTab = useCallback(
    (tab: RecordTab) => void readRecord(targetOf(tab, dispatch), () => now().active === tab.key),
    [dispatch, now, readRecord],
  );
  const refreshTab = useCallback(
    ({ key, record }: RecordTab) => {
      const target = () => {
        const tab = recordTabs(now()).find((candidate) => candidate.key === key);
        return tab && targetOf(tab, dispatch);
      };
      void refreshRecord(record, target, () => now().active === key);
    },
    [dispatch, now, refreshRecord],
  );
  const checkTab = useCallback((tab: RecordTab) => void checkVersion(targetOf(tab, dispatch)), [dispatch, checkVersion]);
  const draftTabs = useMemo(
    () => recordTabs(tabs).map((tab) => ({ path: modelPathOf(tab), record: tab.record })),
    [tabs],
  );
  const restoreDraft = useCallback(
    (path: string, action: RecordAction) => {
      const tab = recordTabs(now()).find((candidate) => modelPathOf(candidate) === path);
      if (tab) dispatch({ type: 'record', key: tab.key, action });
    },
    [dispatch, now],
  );
  useReading(tabs, { read: readTab, renew: refreshTab, look: checkTab }, useDraftReturn(draftTabs, restoreDraft));
  useDraftKeeping(draftTabs);
}

export type WorkbenchTabs = ReturnType<typeof useWorkbench>;

/** What the requests of a tab need of it. */
export function targetOf(tab: RecordTab, dispatch: (action: TabsAction) => void): RecordTarget {
  return {
    state: tab.record,
    modelPath: modelPathOf(tab),
    dispatch: (action) => dispatch({ type: 'record', key: tab.key, action }),
  };
}

/** Frees the models of closed tabs, after the editor has moved on to another. */
function useModelDisposal(tabs: TabsState): void {
  const knownPaths = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const paths = new Set(recordTabs(tabs).map(modelPathOf));
    for (const path of knownPaths.current) if (!paths.has(path)) disposeModel(path);
    knownPaths.current = paths;
  }, [tabs]);
  useEffect(
    () => () => {
      for (const path of knownPaths.current) disposeModel(path);
      knownPaths.current = new Set();
    },
    [],
  );
}
