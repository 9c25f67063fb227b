import { useMemo } from 'react';
import type { BulkToOpen } from '../../core/app/bulk.ts';
import { initialAuditFilter } from '../features/audit/audit-asked.ts';
import { initialQualityFilter } from '../features/quality/quality-state.ts';
import { titleOf } from '../features/record/record-state.ts';
import { useRunCommand } from '../platform/commands.ts';
import type { WorkbenchActions } from '../platform/workbench-actions.ts';
import { useStable } from '../ui/use-stable.ts';
import { listRecordTabs } from './tabs-state.ts';
import type { Overlay } from './record-overlays.tsx';
import type { SearchRuns } from './search-host.tsx';
import type { Workbench } from './use-workbench.ts';

interface FrameActionOptions {
  readonly workbench: Workbench;
  readonly runs: SearchRuns;
  readonly setOverlay: (overlay: Overlay) => void;
  readonly setBulk: (bulk: BulkToOpen) => void;
}

/** Returns the actions that the frame offers to its features. The object keeps its identity. */
export function useFrameActions({
  workbench,
  runs,
  setOverlay,
  setBulk,
}: FrameActionOptions): WorkbenchActions {
  const runCommand = useRunCommand();
  const { open, actions } = workbench;
  const getSearchKey = useStable(() => workbench.tabs.search);
  const loadedRecords = useStable(() => {
    const loadedTabs = listRecordTabs(workbench.tabs).filter(({ record }) => record.base);
    const activeTabs = loadedTabs.filter(({ key }) => key === workbench.tabs.active);
    return [...new Set([...activeTabs, ...loadedTabs])].map(({ record }) => {
      const { type, id, text } = record;
      return { type, id, text, title: titleOf(record) };
    });
  });
  return useMemo(
    () => ({
      openRecord: open,
      beginRecord: actions.createRecord,
      search: (pairs, type) => {
        runs.get(getSearchKey())?.({ type, pairs: pairs.map(([name, value]) => [name, value]) });
        actions.showSearch();
      },
      openPatient: actions.openPatient,
      openView: (id) => (id === 'search' ? runCommand('search.focus') : actions.openView(id)),
      worklistOf: (rule) => {
        initialQualityFilter.set(rule);
        actions.openView('quality');
      },
      auditOf: (record) => {
        initialAuditFilter.set(record);
        actions.openView('audit');
      },
      composePatch: (record) => setOverlay({ kind: 'patch', record }),
      replaceInAll: (source) => setBulk({ source }),
      loadedRecords,
      openBulkRun: (bulkRun, options) => setBulk({ run: bulkRun, ...options }),
    }),
    [open, actions, runs, getSearchKey, runCommand, loadedRecords, setOverlay, setBulk],
  );
}
