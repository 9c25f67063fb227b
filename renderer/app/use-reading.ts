import { useEffect, useEffectEvent, useRef } from 'react';
import { isUnsaved } from '../features/record/record-state.ts';
import { useRefreshes } from '../platform/app-queries.ts';
import { modelPathOf, type RecordTab } from './tab-kinds.ts';
import { recordTabs, type TabsState } from './tabs-state.ts';

/**
 * Reads a tab's record when the tab is first in front: twenty tabs that are restored cost one request. Those in `wanted`,
 * by the paths of their models, are read behind it too. After what
 * changes many records at once each is read again in the same way; text that is not saved stays, and the server is
 * asked what stands behind it.
 */
export function useReading(
  tabs: TabsState,
  { read, renew, look }: Readonly<Record<'read' | 'renew' | 'look', (tab: RecordTab) => void>>,
  requestedPaths: ReadonlySet<string>,
): void {
  const requestedKeys = useRef(new Set<string>());
  const staleKeys = useRef(new Set<string>());
  const refreshes = useRefreshes();
  const markStale = useEffectEvent(() => {
    for (const tab of recordTabs(tabs).filter(({ key }) => requestedKeys.current.has(key))) {
      if (isUnsaved(tab.record)) look(tab);
      else if (requestedKeys.current.delete(tab.key)) staleKeys.current.add(tab.key);
    }
  });
  useEffect(() => {
    if (refreshes > 0) markStale();
  }, [refreshes]);
  useEffect(() => {
    for (const tab of recordTabs(tabs)) {
      const { key, record } = tab;
      if (requestedKeys.current.has(key) || (key !== tabs.active && !requestedPaths.has(modelPathOf(tab)))) continue;
      requestedKeys.current.add(key);
      // What was opened with its text is there already.
      const isStale = staleKeys.current.delete(key);
      if (record.phase.name === 'loading') read(tab);
      else if (isStale) renew(tab);
    }
  }, [tabs, refreshes, read, renew, requestedPaths]);
}
