import { useCallback, useRef } from 'react';
import type { ReadOutcome } from '../features/record/record-state.ts';
import type { RecordRequests } from '../features/record/use-record-io.ts';
import { fixOnceValidated } from '../platform/fixes.ts';
import { revealPointer } from '../platform/reveal-pointer.ts';
import type { RecordToOpen } from '../platform/workbench-actions.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { modelPathOf } from './tab-kinds.ts';
import { tabOf, tabsReducer, type TabsAction, type TabsState } from './tabs-state.ts';

/** Milliseconds that a press may go without an answer to the eye; longer would be felt. */
const maxUnfeltMs = 50;

/**
 * How a record is opened: what comes at once is drawn once, with its text; what takes longer has its tab first. Of
 * several that are opened together, only the last is read.
 */
export function useOpening(
  getTabs: () => TabsState,
  { ask, tell }: RecordRequests,
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
        if (outcome) tell({ type, id }, outcome);
        const tab = tabOf(tabsReducer(getTabs(), action), type, id);
        // Once the tab is in front: what is behind another cannot take the focus.
        if (tab && pointer !== undefined) {
          const path = modelPathOf(tab);
          requestAnimationFrame(() => revealPointer(path, pointer));
          if (fix !== undefined) fixOnceValidated(path, { rule: fix, pointer }, announce);
        }
      };
      pendingOpen.current?.();
      pendingOpen.current = openTab;
      if (tabOf(getTabs(), type, id)) {
        openTab();
        return;
      }
      queueMicrotask(() => {
        if (pendingOpen.current !== openTab) return;
        void ask({ type, id }).then(openTab);
        setTimeout(openTab, maxUnfeltMs);
      });
    },
    [announce, ask, dispatch, getTabs, tell],
  );
}
