import { useEffect, useState, memo, useEffectEvent } from 'react';
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
import {
  WorkbenchActionsContext,
  useWorkbenchActions,
  type WorkbenchActions,
} from '../platform/workbench-actions.ts';
import { lazyDialog, lazyView } from '../ui/lazy-component.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { HelpDialog } from './help-dialog.tsx';
import { loadRecordPane, MainArea } from './main-area.tsx';
import { Palette } from './palette.tsx';
import { RecordOverlays, type Overlay } from './record-overlays.tsx';
import { focusMain, useRegions } from './regions.ts';
import type { SearchRuns } from './search-host.tsx';
import { StatusBar } from './status-bar.tsx';
import { listRecordTabs, listUnsavedTabs, getActiveView } from './tabs-state.ts';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useFrameActions } from './use-frame-actions.ts';
import { useGuardedTabs } from './use-guarded-tabs.tsx';
import { useAppliedPreferences, useLayoutCommands } from './use-layout-commands.ts';
import { useListening } from './use-listening.ts';
import { useSession } from './use-session.ts';
import { useWorkbench, type Workbench } from './use-workbench.ts';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { DraftList } from '../features/record/drafts/draft-list.tsx';
import { SearchLists } from '../features/search/search-lists.tsx';
import { localConnection, useConnection, useSwitchConnection } from '../platform/connection.ts';
import { views, type View } from './views.tsx';
import type { RecordLink } from '../../core/app/record-link.ts';
import type { OpenedFile, OpenRequest } from '../../core/app/shell.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { offerFiles } from '../features/data/import-run.ts';
import { findConnection } from '../platform/use-connections.ts';
import { openRequests } from '../platform/open-requests.ts';
import { toFailure } from '../ui/failure.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { findRecords } from './find-record.ts';

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

interface SidePanelProps {
  /** Active view; undefined if a record is active. */
  readonly active: ViewId | undefined;
}

const listedViews = views.filter(({ unlisted }) => unlisted === undefined);

/** Left panel: views with counts, drafts, recent and saved searches. */
const SidePanel = memo(function SidePanel({ active }: SidePanelProps) {
  const { openView, search } = useWorkbenchActions();
  return (
    <nav id="side-panel" className={styles.side} aria-label={text.side.name} data-region="views">
      {listedViews.map((view) => (
        <ViewEntry key={view.id} view={view} current={view.id === active} onOpen={openView} />
      ))}
      <DraftList />
      <SearchLists onSearch={({ pairs, type }) => search(pairs, type)} />
    </nav>
  );
});

interface ViewEntryProps {
  readonly view: View;
  readonly current: boolean;
  readonly onOpen: (id: ViewId) => void;
}

function ViewEntry({ view, current, onOpen }: ViewEntryProps) {
  const { id, icon: Icon, count: Count, local } = view;
  const label = text.views[id];
  const { remote } = useConnection();
  const isOnlyLocal = remote !== undefined && local;
  return (
    <button
      type="button"
      className={styles.view}
      // Indented under the Trust entry.
      data-part={trustPartOf(id) && true}
      aria-current={current ? 'page' : undefined}
      title={isOnlyLocal ? text.connections.ofLocal : label}
      onClick={() => onOpen(id)}
    >
      <Icon size={16} aria-hidden />
      <span>{label}</span>
      {isOnlyLocal && <small aria-hidden>{localConnection.name}</small>}
      {!isOnlyLocal && Count && (
        <small>
          <Count />
        </small>
      )}
    </button>
  );
}

/** Handles open requests of the desktop shell: files to import, a connection, or a record. */
function useOpenRequests({ openRecord, openView }: WorkbenchActions): void {
  const { client, name } = useConnection();
  const switchConnection = useSwitchConnection();
  const announce = useAnnounce();
  useEffect(() => desktop?.setConnection(name), [name]);

  /** Switches to a connection by name. A request for that connection waits for its workbench. */
  async function switchTo(connectionName: string, nextRequest?: OpenRequest) {
    const connection = await findConnection(connectionName);
    if (connection === undefined) {
      announce(text.desktop.unknownConnection(connectionName));
      return;
    }
    const withdraw = nextRequest && openRequests.keepFor(connectionName, nextRequest);
    if (!(await switchConnection(connection === 'local' ? undefined : connection))) withdraw?.();
  }

  async function openRecords({ id, type }: RecordLink) {
    const types = type === undefined ? resourceTypes : [type];
    const matches = await findRecords(client, { id, types });
    if (matches.length === 0) announce(text.launcher.notFound(types, id));
    for (const record of matches) openRecord(record);
  }

  function openFiles(files: readonly OpenedFile[]) {
    const message = offerFiles(
      files.map((openedFile) => ({
        name: openedFile.name,
        file: new File([openedFile.bytes], openedFile.name),
      })),
    );
    openView('data');
    announce(message ?? text.data.import.busy);
  }

  async function handleRequest(request: OpenRequest): Promise<void> {
    switch (request.kind) {
      case 'record':
        if (request.link.connection === name) await openRecords(request.link);
        else await switchTo(request.link.connection, request);
        break;
      case 'connection':
        if (request.name !== name) await switchTo(request.name);
        break;
      case 'files':
        openFiles(request.files);
        break;
    }
  }

  const handleRequests = useEffectEvent(() => {
    for (const request of openRequests.consume(name)) {
      handleRequest(request).catch((error: unknown) => announce(toFailure(error).sentences.join(' ')));
    }
  });
  useEffect(() => {
    desktop?.ready();
    handleRequests();
    return openRequests.subscribe(() => handleRequests());
  }, []);
}
