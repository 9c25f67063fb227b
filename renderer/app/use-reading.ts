import { useEffect, useEffectEvent, useRef } from 'react';
import { isUnsaved } from '../features/record/record-state.ts';
import { useRefreshes } from '../platform/app-queries.ts';
import { getModelPath, type RecordTab } from './tab-kinds.ts';
import { listRecordTabs, type TabsState } from './tabs-state.ts';

/**
 * Reads the record of a tab when the tab first becomes active, so that twenty restored tabs cost one request.
 * Tabs with a model path in `requestedPaths` are read at once. After a change of many records, each tab is read again
 * in the same way. Unsaved text stays; only the version on the server is checked.
 */
export function useTabReading(
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
