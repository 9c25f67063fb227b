import { useCallback, useRef } from 'react';
import type { ReadOutcome } from '../features/record/record-state.ts';
import type { RecordRequests } from '../features/record/use-record-requests.ts';
import { fixOnceValidated } from '../platform/fixes.ts';
import { revealPointer } from '../platform/reveal-pointer.ts';
import type { RecordToOpen } from '../platform/workbench-actions.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { getModelPath } from './tab-kinds.ts';
import { findRecordTab, tabsReducer, type TabsAction, type TabsState } from './tabs-state.ts';

/** Longest unnoticeable delay between a press and a visible reaction. */
const maxUnfeltMs = 50;

/**
 * Returns the function that opens a record. A fast response opens the tab with its text in one render; otherwise the
 * empty tab opens first. If several records are opened together, only the last is read.
 */
export function useOpenRecord(
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
