import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { emptyRecordText, createTemporaryId } from '../../core/fhir/new-record.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import { useDraftAutosave } from '../features/record/drafts/use-draft-keeping.ts';
import { useDraftRestore } from '../features/record/drafts/use-draft-return.ts';
import type { RecordAction } from '../features/record/record-state.ts';
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
  type TabsAction,
  type TabsState,
} from './tabs-state.ts';
import { formatTabLabel, getModelPath, type TabQuery, type RecordTab, type Tab } from './tab-kinds.ts';
import { useOpenRecord } from './use-opening.ts';
import { useTabReading } from './use-reading.ts';

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
