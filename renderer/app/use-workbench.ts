import { useCallback, useEffect, useMemo, useReducer, useRef, useEffectEvent } from 'react';
import { emptyRecordText, createTemporaryId } from '../../core/fhir/new-record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { useDraftAutosave } from '../features/record/drafts/use-draft-keeping.ts';
import { useDraftRestore } from '../features/record/drafts/use-draft-return.ts';
import { isUnsaved, type RecordAction, type ReadOutcome } from '../features/record/record-state.ts';
import { toVersion } from '../platform/record-version.ts';
import {
  useRecordRequests,
  type RecordRequests,
  type RecordTarget,
} from '../features/record/use-record-requests.ts';
import { disposeModel } from '../platform/monaco-loader.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useStable } from '../ui/use-stable.ts';
import {
  createInitialTabs,
  listRecordTabs,
  tabsReducer,
  changesActiveTab,
  findRecordTab,
  type TabsAction,
  type TabsState,
} from './tabs-state.ts';
import { formatTabLabel, getModelPath, type TabQuery, type RecordTab, type Tab } from './tab-kinds.ts';
import { fixOnceValidated } from '../platform/fixes.ts';
import { revealPointer } from '../platform/reveal-pointer.ts';
import type { RecordToOpen } from '../platform/workbench-actions.ts';
import { useRefreshes } from '../platform/app-queries.ts';

/** Returns the open tabs, their actions and the requests for records. */
export function useWorkbench() {
  const requests = useRecordRequests();
  const tabStore = useTabs();
  const { tabs, getTabs, dispatch } = tabStore;
  const open = useOpenRecord(getTabs, requests, dispatch);
  const actions = useTabActions(dispatch);
  useRecordSync(tabStore, requests);
  useModelDisposal(tabs);
  return { tabs, dispatch, requests, open, actions };
}

/** Returns the tabs of this render, and a function that returns the latest tabs. */
function useTabs() {
  const [tabs, dispatchToReducer] = useReducer(tabsReducer, undefined, createInitialTabs);
  const announce = useAnnounce();
  // Updated before effects run. An effect of a new view may run a queued command that opens the same view again.
  const getTabs = useStable(() => tabs);
  const dispatch = useCallback(
    (action: TabsAction) => {
      // The last message belongs to the previous view.
      if (changesActiveTab(getTabs(), action)) announce('');
      dispatchToReducer(action);
    },
    [announce, getTabs],
  );
  return { tabs, getTabs, dispatch };
}

/** Returns the actions on tabs. They keep their identity. */
function useTabActions(dispatch: (action: TabsAction) => void) {
  const announce = useAnnounce();
  return useMemo(
    () => ({
      /** Opens a new record, based on the empty record of its type. */
      createRecord: (type: ResourceType, json: string) => {
        const id = createTemporaryId(crypto.randomUUID());
        const base = toVersion({ text: emptyRecordText(type) });
        // A new record is a restored draft on the empty record.
        dispatch({
          type: 'open',
          record: { type, id, title: text.types.newRecord(type) },
          outcome: { type: 'restored', text: json, base },
        });
        announce(text.record.notSavedYet(text.types.newRecord(type)));
      },
      openView: (view: ViewId) => dispatch({ type: 'openView', view }),
      openPatient: (patient: NamedPatient) => dispatch({ type: 'openPatient', patient }),
      activate: (key: string) => dispatch({ type: 'activate', key }),
      showSearch: () => dispatch({ type: 'showSearch' }),
      openSearch: () => dispatch({ type: 'openSearch' }),
      setTabQuery: (key: string, tabQuery: TabQuery) => dispatch({ type: 'setTabQuery', key, tabQuery }),
      close: (tab: Tab) => {
        dispatch({ type: 'close', key: tab.key });
        announce(text.tabs.closed(formatTabLabel(tab)));
      },
    }),
    [announce, dispatch],
  );
}

/** Reads, refreshes and checks the records of tabs, and keeps edits as drafts. */
function useRecordSync(
  { tabs, getTabs, dispatch }: ReturnType<typeof useTabs>,
  { loadRecord, refreshRecord, checkServerVersion }: RecordRequests,
): void {
  const readTab = useCallback(
    (tab: RecordTab) => void loadRecord(toRecordTarget(tab, dispatch), () => getTabs().active === tab.key),
    [dispatch, getTabs, loadRecord],
  );
  const refreshTab = useCallback(
    ({ key, record }: RecordTab) => {
      const target = () => {
        const tab = listRecordTabs(getTabs()).find((candidate) => candidate.key === key);
        return tab && toRecordTarget(tab, dispatch);
      };
      void refreshRecord(record, target, () => getTabs().active === key);
    },
    [dispatch, getTabs, refreshRecord],
  );
  const checkTab = useCallback(
    (tab: RecordTab) => void checkServerVersion(toRecordTarget(tab, dispatch)),
    [dispatch, checkServerVersion],
  );
  const draftTabs = useMemo(
    () => listRecordTabs(tabs).map((tab) => ({ path: getModelPath(tab), record: tab.record })),
    [tabs],
  );
  const restoreDraft = useCallback(
    (path: string, action: RecordAction) => {
      const tab = listRecordTabs(getTabs()).find((candidate) => getModelPath(candidate) === path);
      if (tab) dispatch({ type: 'record', key: tab.key, action });
    },
    [dispatch, getTabs],
  );
  const pathsToRead = useDraftRestore(draftTabs, restoreDraft);
  useTabReading(tabs, { readTab, refreshTab, checkTab }, pathsToRead);
  useDraftAutosave(draftTabs);
}

/** Result of {@link useWorkbench}. */
export type Workbench = ReturnType<typeof useWorkbench>;

/** Returns the target of a tab's requests. */
export function toRecordTarget(tab: RecordTab, dispatch: (action: TabsAction) => void): RecordTarget {
  return {
    state: tab.record,
    modelPath: getModelPath(tab),
    dispatch: (action) => dispatch({ type: 'record', key: tab.key, action }),
  };
}

/** Disposes the models of closed tabs, after the editor shows another model. */
function useModelDisposal(tabs: TabsState): void {
  const knownPaths = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const paths = new Set(listRecordTabs(tabs).map(getModelPath));
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

/** Longest unnoticeable delay between a press and a visible reaction. */
const maxUnfeltMs = 50;

/**
 * Returns the function that opens a record. A fast response opens the tab with its text in one render; otherwise the
 * empty tab opens first. If several records are opened together, only the last is read.
 */
function useOpenRecord(
  getTabs: () => TabsState,
  { fetchOutcome, announceOutcome }: RecordRequests,
  dispatch: (action: TabsAction) => void,
): (record: RecordToOpen) => void {
  const announce = useAnnounce();
  const pendingOpen = useRef<() => void>(undefined);
  return useCallback(
    (recordToOpen: RecordToOpen) => {
      const { type, id, title, pointer, fix } = recordToOpen;
      const openTab = (outcome?: ReadOutcome) => {
        if (pendingOpen.current !== openTab) return;
        pendingOpen.current = undefined;
        const action: TabsAction = { type: 'open', record: { type, id, title }, outcome };
        dispatch(action);
        if (outcome) announceOutcome({ type, id }, outcome);
        const tab = findRecordTab(tabsReducer(getTabs(), action), type, id);
        // After the tab has become active: an inactive tab cannot take the focus.
        if (tab && pointer !== undefined) {
          const path = getModelPath(tab);
          requestAnimationFrame(() => revealPointer(path, pointer));
          if (fix !== undefined) fixOnceValidated(path, { rule: fix, pointer }, announce);
        }
      };
      pendingOpen.current?.();
      pendingOpen.current = openTab;
      if (findRecordTab(getTabs(), type, id)) {
        openTab();
        return;
      }
      queueMicrotask(() => {
        if (pendingOpen.current !== openTab) return;
        void fetchOutcome({ type, id }).then(openTab);
        setTimeout(openTab, maxUnfeltMs);
      });
    },
    [announce, fetchOutcome, dispatch, getTabs, announceOutcome],
  );
}

/**
 * Reads the record of a tab when the tab first becomes active, so that twenty restored tabs cost one request.
 * Tabs with a model path in `requestedPaths` are read at once. After a change of many records, each tab is read again
 * in the same way. Unsaved text stays; only the version on the server is checked.
 */
function useTabReading(
  tabs: TabsState,
  {
    readTab,
    refreshTab,
    checkTab,
  }: Readonly<Record<'readTab' | 'refreshTab' | 'checkTab', (tab: RecordTab) => void>>,
  requestedPaths: ReadonlySet<string>,
): void {
  const requestedKeys = useRef(new Set<string>());
  const staleKeys = useRef(new Set<string>());
  const refreshes = useRefreshes();
  const markStale = useEffectEvent(() => {
    for (const tab of listRecordTabs(tabs).filter(({ key }) => requestedKeys.current.has(key))) {
      if (isUnsaved(tab.record)) checkTab(tab);
      else if (requestedKeys.current.delete(tab.key)) staleKeys.current.add(tab.key);
    }
  });
  useEffect(() => {
    if (refreshes > 0) markStale();
  }, [refreshes]);
  useEffect(() => {
    for (const tab of listRecordTabs(tabs)) {
      const { key, record } = tab;
      if (requestedKeys.current.has(key) || (key !== tabs.active && !requestedPaths.has(getModelPath(tab))))
        continue;
      requestedKeys.current.add(key);
      // A tab that was opened with its text is loaded already.
      const isStale = staleKeys.current.delete(key);
      if (record.phase.name === 'loading') readTab(tab);
      else if (isStale) refreshTab(tab);
    }
  }, [tabs, refreshes, readTab, refreshTab, requestedPaths]);
}
