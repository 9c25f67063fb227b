import { lazy, Suspense, useState } from 'react';
import type { BulkToOpen } from '../../core/app/bulk.ts';
import { ConnectionEditor } from '../features/connections/connection-editor.tsx';
import { DropShade } from '../features/data/drop-shade.tsx';
import { PracticePanel } from '../features/practice/practice-panel.tsx';
import { titleOf } from '../features/record/record-state.ts';
import { CommandsContext, useCommandHandlers } from '../platform/commands.ts';
import { desktop } from '../platform/desktop.ts';
import { LiveContext } from '../platform/live.ts';
import { usePreference } from '../platform/preferences.ts';
import { session } from '../platform/session.ts';
import { WorkbenchActionsContext } from '../platform/workbench-actions.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { DiscardDialog } from './discard-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { MainArea } from './main-area.tsx';
import { Palette } from './palette.tsx';
import { RecordOverlays, type Overlay } from './record-overlays.tsx';
import { RecordPane } from './record-pane.tsx';
import { focusMain, useRegions } from './regions.ts';
import { SearchHost, type SearchRuns } from './search-host.tsx';
import { SidePanel } from './side-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { recordTabs, unsavedTabs, viewInFront } from './tabs-state.ts';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useEarlyMonaco } from './use-early-monaco.ts';
import { useFrameActions } from './use-frame-actions.ts';
import { useGuardedTabs, type GuardedTabs } from './use-guarded-tabs.ts';
import { useChoices, useLayoutCommands } from './use-layout-commands.ts';
import { useListening } from './use-listening.ts';
import { useOpenRequests } from './use-open-requests.ts';
import { useSession } from './use-session.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { useWorkbench, type WorkbenchTabs } from './use-workbench.ts';

// With it come the rules of the validation, which the first screen does not need.
const BulkSheet = lazy(async () => ({
  default: (await import('../features/bulk/bulk-sheet.tsx')).BulkSheet,
}));

/** The page once there is access to it. */
export function Workbench() {
  const workbench = useWorkbench();
  return (
    <CommandsContext value={useCommands(workbench.openView)}>
      <LiveContext value={useListening()}>
        <Frame workbench={workbench} />
      </LiveContext>
    </CommandsContext>
  );
}

/** The frame: bar, side panel, tabs, the active tab, status bar, and the dialogs that belong to all of them. */
function Frame({ workbench }: { readonly workbench: WorkbenchTabs }) {
  const { tabs, dispatch, io } = workbench;
  const [runs] = useState<SearchRuns>(() => new Map());
  const [sideShown] = usePreference('sidePanel');
  const [practice] = usePreference('practice');
  const [overlay, setOverlay] = useState<Overlay>();
  const [bulk, setBulk] = useState<BulkToOpen>();
  const guarded = useGuardedTabs(workbench, () => setOverlay(undefined));
  const actions = useFrameActions({ workbench, runs, setOverlay, setBulk });
  useUnsavedGuard(unsavedTabs(tabs).length);
  useSession(workbench, runs);
  useEarlyMonaco((tabs.asked?.total ?? 0) > 0);
  useOpenRequests(actions);
  useLayoutCommands();
  useChoices();
  // The desktop app's window has no session of its own.
  useCommandHandlers({ 'app.signOut': desktop ? text.signIn.noSignOut : () => void session.signOut() });
  useRegions();

  const active = recordTabs(tabs).find(({ key }) => key === tabs.active);
  return (
    <WorkbenchActionsContext value={actions}>
      <button type="button" className={styles.skip} onClick={focusMain}>
        {text.frame.skip}
      </button>
      <div className={styles.frame} data-side={sideShown} data-practice={practice}>
        <TopBar />
        {sideShown && <SidePanel active={viewInFront(tabs)} />}
        <OpenTabs {...{ workbench, guarded, runs }} covered={overlay !== undefined} onOverlay={setOverlay} />
        {practice && <PracticePanel />}
        <StatusBar
          title={active && titleOf(active.record)}
          phase={active?.record.base && active.record.phase}
        />
      </div>
      <RecordOverlays
        {...{ overlay, tabs, dispatch, io }}
        onOverlay={setOverlay}
        onRestore={guarded.restore}
      />
      {bulk && (
        <Suspense>
          <BulkSheet key={'run' in bulk ? bulk.run : ''} bulk={bulk} onClose={() => setBulk(undefined)} />
        </Suspense>
      )}
      <Palette tabs={tabs} onActivate={workbench.activate} />
      <ConnectionEditor />
      <DropShade />
      <DiscardDialog discard={guarded.question} onClose={guarded.endQuestion} />
      <HelpDialog />
    </WorkbenchActionsContext>
  );
}

interface OpenTabsProps {
  readonly workbench: WorkbenchTabs;
  readonly guarded: GuardedTabs;
  readonly runs: SearchRuns;
  /** Whether something lies over the tabs. */
  readonly covered: boolean;
  readonly onOverlay: (overlay: Overlay) => void;
}

/** The tabs, whose searches and records ask the workbench for what they need of it. */
function OpenTabs({ workbench, guarded, runs, covered, onOverlay }: OpenTabsProps) {
  const { tabs, dispatch, io, activate, openSearch, noteAsked, showSearch } = workbench;
  return (
    <MainArea
      tabs={tabs}
      onActivate={activate}
      onClose={guarded.closeTab}
      onNewSearch={openSearch}
      renderSearch={(key, first) => (
        <SearchHost
          id={key}
          front={tabs.active === key}
          current={tabs.search === key}
          {...{ first, runs }}
          onAsked={noteAsked}
          onFront={showSearch}
        />
      )}
      renderRecord={(tab, front) => (
        <RecordPane
          {...{ tab, dispatch, io, front, covered, onOverlay }}
          onReload={guarded.reload}
          onDiscard={guarded.discard}
          onRestore={guarded.restore}
        />
      )}
    />
  );
}
