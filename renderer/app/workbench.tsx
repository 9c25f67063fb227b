import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ConnectionSummary } from '../../core/app/connections.ts';
import type { BulkToOpen } from '../../core/app/bulk.ts';
import type { SearchQuery } from '../../core/app/searches.ts';
import type { ViewId } from '../../core/app/views.ts';
import { isUnsaved, titleOf } from '../features/record/record-state.ts';
import { AccessStrip } from '../features/connections/access-strip.tsx';
import { auditCheck } from '../features/audit/audit-check.ts';
import { chooseConnection } from '../features/connections/choose-connection.ts';
import { backupNow, restoreBackup } from '../features/data/backup-wishes.ts';
import { dataPart, type DataPart } from '../features/data/data-part.ts';
import { DropShade } from '../features/data/drop-shade.tsx';
import { useRecentSearches } from '../features/search/kept-searches.ts';
import { bulkSourceOf } from '../features/search/bulk-source.ts';
import { SearchView } from '../features/search/search-view.tsx';
import { useSearch } from '../features/search/use-search.ts';
import { useOverview } from '../platform/app-queries.ts';
import { useConnection } from '../platform/connection.ts';
import { findingWalk } from '../platform/finding-walk.ts';
import { fetchMonaco, loadMonaco } from '../platform/monaco-loader.ts';
import { usePreference } from '../platform/preferences.ts';
import type { Wish } from '../platform/wish.ts';
import { WorkbenchActionsContext, type WorkbenchActions } from '../platform/workbench-actions.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { useStable } from '../ui/use-stable.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { BulkHost } from './bulk-host.tsx';
import { ConnectionEditor } from './connection-editor.tsx';
import { commandRuns } from './command-runs.ts';
import { DiscardDialog, type Discard } from './discard-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { MainArea } from './main-area.tsx';
import { Palette, type LaunchMode } from './palette.tsx';
import { RecordOverlays, type Overlay } from './record-overlays.tsx';
import { RecordPane } from './record-pane.tsx';
import { restoreVersion } from './restore-version.ts';
import { followRegions, focusMain } from './regions.ts';
import { SidePanel } from './side-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { labelOf } from './tab-labels.ts';
import { recordTabs, searchKey, unsavedTabs, type RecordTab, type Tab } from './tabs-state.ts';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useDisplay, type Display } from './use-display.ts';
import { useOpenRequests } from './use-open-requests.ts';
import { useSession } from './use-session.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { targetOf, useWorkbench } from './use-workbench.ts';

/** The page once there is access to it. */
export function Workbench() {
  // Outside the frame, which is drawn with every key: to ask for the system's colours costs more than the bar.
  return <Frame display={useDisplay()} />;
}

/** The frame: bar, side panel, tabs, the active tab, status bar, and the dialogs that belong to all of them. */
function Frame({ display }: { readonly display: Display }) {
  const workbench = useWorkbench();
  const { tabs, dispatch, io, open, openView, close } = workbench;
  const search = useSearch();
  const recentSearches = useRecentSearches();
  const overview = useOverview().data;
  const announce = useAnnounce();
  const { remote } = useConnection();
  const [sideShown, setSideShown] = usePreference('sidePanel');
  const [inspectorShown, setInspectorShown] = usePreference('inspector');
  const [wrap, setWrap] = usePreference('wordWrap');
  const patientField = useRef<HTMLInputElement>(null);
  const [discard, setDiscard] = useState<Discard>();
  const [overlay, setOverlay] = useState<Overlay>();
  const [bulk, setBulk] = useState<BulkToOpen>();
  const [launching, setLaunching] = useState<LaunchMode>();
  const [help, setHelp] = useState(false);
  const [connecting, setConnecting] = useState<{ readonly connection: ConnectionSummary | undefined }>();
  useUnsavedGuard(unsavedTabs(tabs).length);
  useSession(workbench, search);
  useEffect(followRegions, []);

  useEffect(() => {
    // Never before the search is in sight.
    return afterPaint(() => requestIdleCallback(fetchMonaco, { timeout: 2000 }));
  }, []);
  const found = search.rows.length > 0;
  useEffect(() => {
    // Once there is something to open, and the page is at rest: opening it is then immediate.
    if (found) requestIdleCallback(() => void loadMonaco().catch(() => undefined), { timeout: 2000 });
  }, [found]);

  const activate = useCallback((key: string) => dispatch({ type: 'activate', key }), [dispatch]);
  const focusSearch = useCallback(() => {
    activate(searchKey);
    const select = () => patientField.current?.select();
    // At once where the field is in sight: by the next frame somebody may have typed.
    select();
    requestAnimationFrame(() => document.activeElement === patientField.current || select());
  }, [activate]);
  const showView = useCallback(
    (id: ViewId) => (id === 'search' ? focusSearch() : openView(id)),
    [focusSearch, openView],
  );
  useOpenRequests({ openRecord: open, showData: () => showView('data') });
  const { run } = search;
  const runSearch = useCallback(
    (asked: SearchQuery) => {
      run(asked);
      activate(searchKey);
    },
    [run, activate],
  );
  const actions = useMemo<WorkbenchActions>(
    () => ({
      openRecord: open,
      search: (pairs, type) => runSearch({ type, pairs }),
      openView: showView,
      composePatch: (record) => setOverlay({ kind: 'patch', record }),
      replaceInAll: (source) => setBulk({ source }),
      openBulkRun: (run) => setBulk({ run }),
    }),
    [open, runSearch, showView],
  );

  /** Does what would lose edits only after asking. */
  function guarded(tab: Tab, proceed: () => void) {
    if (tab.kind === 'record' && isUnsaved(tab.record)) setDiscard({ title: labelOf(tab), proceed });
    else proceed();
  }
  /** Closes tabs in turn, with a question for each that holds edits. */
  function closeAll([tab, ...rest]: readonly Tab[]) {
    if (!tab) return;
    guarded(tab, () => {
      close(tab);
      closeAll(rest);
    });
  }
  const closeTab = useStable((key: string) => closeAll(tabs.tabs.filter((tab) => tab.key === key)));
  const reload = useStable((tab: RecordTab) => guarded(tab, () => void io.read(targetOf(tab, dispatch))));
  const discardEdits = useStable((tab: RecordTab) => guarded(tab, () => io.discard(targetOf(tab, dispatch))));
  const restore = useStable((tab: RecordTab, version: string, number: number) =>
    guarded(tab, () => {
      setOverlay(undefined);
      const done = restoreVersion(tab, dispatch, version);
      announce(done ? text.history.restoring(number) : text.history.restoreSame(number));
    }),
  );
  const toggleSide = useStable(() => {
    setSideShown(!sideShown);
    announce(sideShown ? text.frame.sideHidden : text.frame.sideShown);
  });
  const showPalette = useCallback(() => setLaunching('palette'), []);
  const showHelp = useCallback(() => setHelp(true), []);
  const editConnection = useCallback(
    (connection: ConnectionSummary | undefined) => setConnecting({ connection }),
    [],
  );

  function showData(part: DataPart) {
    dataPart.show(part);
    showView('data');
  }
  function wishFor(part: DataPart, wish: Wish) {
    showData(part);
    if (!remote) wish.make();
  }

  const runs = commandRuns({
    workbench,
    focusSearch,
    close: closeAll,
    reload,
    discard: discardEdits,
    patch: ({ record }) => setOverlay({ kind: 'patch', record }),
    patchById: () => setOverlay({ kind: 'patchById' }),
    history: ({ key }) => setOverlay({ kind: 'history', key }),
    launch: (mode) => setLaunching((now) => (now === mode ? undefined : mode)),
    searched: search.state.submitted !== undefined && search.total > 0,
    replaceInResults: () => {
      const { submitted } = search.state;
      if (submitted) setBulk({ source: bulkSourceOf(submitted, search.total) });
    },
    walk: (step) => {
      if (findingWalk.go(step)) return;
      showView('quality');
      announce(text.quality.noWalk);
    },
    help: showHelp,
    switchTheme: () => {
      const theme = display.theme === 'dark' ? 'light' : 'dark';
      display.chooseTheme(theme);
      announce(text.frame.themeNow(theme));
    },
    switchDensity: () => {
      const density = display.density === 'compact' ? 'comfortable' : 'compact';
      display.chooseDensity(density);
      announce(text.frame.densityNow(density));
    },
    toggleSidePanel: toggleSide,
    toggleInspector: () => {
      setInspectorShown(!inspectorShown);
      announce(inspectorShown ? text.frame.inspectorHidden : text.frame.inspectorShown);
    },
    switchWrap: () => {
      setWrap(!wrap);
      announce(wrap ? text.frame.unwrapped : text.frame.wrapped);
    },
    showData,
    // In place of the view stands, for another server, that it belongs to the local one.
    backUp: () => wishFor('backups', backupNow),
    restoreBackup: () => wishFor('backups', restoreBackup),
    checkAudit: () => {
      showView('audit');
      if (!remote) auditCheck.make();
    },
    chooseConnection: chooseConnection.make,
    addConnection: () => editConnection(undefined),
    editConnection: remote && (() => editConnection(remote)),
  });
  const perform = useCommands(runs);

  const active = recordTabs(tabs).find(({ key }) => key === tabs.active);
  return (
    <WorkbenchActionsContext value={actions}>
      <button type="button" className={styles.skip} onClick={focusMain}>
        {text.frame.skip}
      </button>
      <div className={styles.frame} data-side={sideShown}>
        <TopBar
          overview={overview}
          display={display}
          sideShown={sideShown}
          onSide={toggleSide}
          onLaunch={showPalette}
          onHelp={showHelp}
          onConnection={editConnection}
        />
        {sideShown && <SidePanel active={tabs.active} onView={showView} onSearch={runSearch} />}
        <MainArea
          strip={<AccessStrip onEdit={editConnection} />}
          tabs={tabs}
          onActivate={activate}
          onClose={closeTab}
          renderSearch={(front) => (
            <SearchView search={search} overview={overview} patientField={patientField} front={front} />
          )}
          renderRecord={(tab, front) => (
            <RecordPane
              {...{ tab, dispatch, io }}
              front={front && overlay === undefined}
              onOverlay={setOverlay}
              onReload={reload}
              onDiscard={discardEdits}
              onRestore={restore}
            />
          )}
        />
        <StatusBar
          title={active && titleOf(active.record)}
          phase={active?.record.base && active.record.phase}
          overview={overview}
        />
      </div>
      <RecordOverlays {...{ overlay, tabs, dispatch, io }} onOverlay={setOverlay} onRestore={restore} />
      {bulk && <BulkHost bulk={bulk} onClose={() => setBulk(undefined)} />}
      {launching && (
        <Palette
          key={launching}
          mode={launching}
          tabs={tabs}
          searches={recentSearches}
          runs={runs}
          onCommand={perform}
          onView={showView}
          onActivate={activate}
          onOpen={open}
          onSearch={runSearch}
          onClose={() => setLaunching(undefined)}
        />
      )}
      {connecting && (
        <ConnectionEditor connection={connecting.connection} onClose={() => setConnecting(undefined)} />
      )}
      <DropShade onFiles={() => showData('import')} />
      <DiscardDialog discard={discard} onClose={() => setDiscard(undefined)} />
      <HelpDialog opened={help} onClose={() => setHelp(false)} />
    </WorkbenchActionsContext>
  );
}
