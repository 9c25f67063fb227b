import { useEffect, useState } from 'react';
import type { BulkToOpen } from '../../core/app/bulk.ts';
import { ConnectionEditor } from '../features/connections/connection-editor.tsx';
import { DropOverlay } from '../features/data/drop-shade.tsx';
import { titleOf } from '../features/record/record-state.ts';
import { CommandsContext, useCommandHandlers } from '../platform/commands.ts';
import { desktop } from '../platform/desktop.ts';
import { LiveContext } from '../platform/live.ts';
import { fetchRecordModules } from '../platform/monaco-loader.ts';
import { usePreference } from '../platform/preferences.ts';
import { session } from '../platform/session.ts';
import { WorkbenchActionsContext } from '../platform/workbench-actions.ts';
import { lazyDialog, lazyView } from '../ui/lazy-component.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { loadRecordPane, MainArea } from './main-area.tsx';
import { Palette } from './palette.tsx';
import { RecordOverlays, type Overlay } from './record-overlays.tsx';
import { focusMain, useRegions } from './regions.ts';
import type { SearchRuns } from './search-host.tsx';
import { SidePanel } from './side-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { listRecordTabs, listUnsavedTabs, getActiveView } from './tabs-state.ts';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useFrameActions } from './use-frame-actions.ts';
import { useGuardedTabs } from './use-guarded-tabs.tsx';
import { useAppliedPreferences, useLayoutCommands } from './use-layout-commands.ts';
import { useListening } from './use-listening.ts';
import { useOpenRequests } from './use-open-requests.ts';
import { useSession } from './use-session.ts';
import { useWorkbench, type Workbench } from './use-workbench.ts';

const BulkSheet = lazyDialog(async () => (await import('../features/bulk/bulk-sheet.tsx')).BulkSheet);
const PracticePanel = lazyView(
  async () => (await import('../features/practice/practice-panel.tsx')).PracticePanel,
);

/** The page after sign-in. */
export function Workbench() {
  const workbench = useWorkbench();
  return (
    <CommandsContext value={useCommands(workbench.actions.openView)}>
      <LiveContext value={useListening()}>
        <Frame workbench={workbench} />
      </LiveContext>
    </CommandsContext>
  );
}

/** The frame: top bar, side panel, tabs, status bar and common dialogs. */
function Frame({ workbench }: { readonly workbench: Workbench }) {
  const { tabs, dispatch, requests } = workbench;
  const [runs] = useState<SearchRuns>(() => new Map());
  const [sideShown] = usePreference('sidePanel');
  const [practice] = usePreference('practice');
  const [overlay, setOverlay] = useState<Overlay>();
  const [bulk, setBulk] = useState<BulkToOpen>();
  const guarded = useGuardedTabs(workbench, () => setOverlay(undefined));
  const actions = useFrameActions({ workbench, runs, setOverlay, setBulk });
  useUnsavedGuard(listUnsavedTabs(tabs).length);
  useSession(workbench, runs);
  useEarlyRecordPane((tabs.tabQuery?.total ?? 0) > 0);
  useOpenRequests(actions);
  useLayoutCommands();
  useAppliedPreferences();
  // The window of the desktop app has no session.
  useCommandHandlers({ 'app.signOut': desktop ? text.signIn.noSignOut : () => void session.signOut() });
  useRegions();

  const active = listRecordTabs(tabs).find(({ key }) => key === tabs.active);
  return (
    <WorkbenchActionsContext value={actions}>
      <button type="button" className={styles.skip} onClick={focusMain}>
        {text.frame.skip}
      </button>
      <div className={styles.frame} data-side={sideShown} data-practice={practice}>
        <TopBar />
        {sideShown && <SidePanel active={getActiveView(tabs)} />}
        <MainArea
          workbench={workbench}
          guarded={guarded}
          runs={runs}
          isCovered={overlay !== undefined}
          onOverlay={setOverlay}
        />
        {practice && <PracticePanel />}
        <StatusBar
          title={active && titleOf(active.record)}
          phase={active?.record.base && active.record.phase}
        />
      </div>
      <RecordOverlays
        overlay={overlay}
        tabs={tabs}
        dispatch={dispatch}
        requests={requests}
        onOverlay={setOverlay}
        onRestore={guarded.restore}
      />
      {bulk && (
        <BulkSheet key={'run' in bulk ? bulk.run : ''} bulk={bulk} onClose={() => setBulk(undefined)} />
      )}
      <Palette tabs={tabs} onActivate={workbench.actions.activate} />
      <ConnectionEditor />
      <DropOverlay />
      {guarded.question}
      <HelpDialog />
    </WorkbenchActionsContext>
  );
}

/**
 * Fetches the record tab with its editor when the user types first, and loads it after the first search results, so
 * that opening a result is immediate.
 */
function useEarlyRecordPane(hasResults: boolean): void {
  useEffect(() => {
    const options = { capture: true, once: true };
    window.addEventListener('input', fetchRecordModules, options);
    return () => window.removeEventListener('input', fetchRecordModules, options);
  }, []);
  useEffect(() => {
    // In idle time, so that the results are painted first.
    if (hasResults)
      requestIdleCallback(() => void loadRecordPane().catch(() => undefined), { timeout: 2000 });
  }, [hasResults]);
}

/** Asks before the user leaves with unsaved edits: the shell on quit, the browser before unload. */
function useUnsavedGuard(count: number): void {
  useEffect(() => {
    if (desktop) {
      desktop.setUnsavedTabs(count);
      return;
    }
    if (count === 0) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [count]);
}
