import { useCallback, useEffect, useRef, useState } from 'react';
import { useTheme } from '../features/connections/theme-menu.tsx';
import { isUnsaved } from '../features/record/record-state.ts';
import { RecordPanel } from '../features/record/record-panel.tsx';
import { formatRecord } from '../features/record/format-record.ts';
import { refusals, type RecordActions } from '../features/record/record-actions.ts';
import { SearchView } from '../features/search/search-view.tsx';
import { useSearch } from '../features/search/use-search.ts';
import { useOverview } from '../platform/app-queries.ts';
import { loadMonaco } from '../platform/monaco-loader.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { DiscardDialog, type Discard } from './discard-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { PatchTab } from './patch-tab.tsx';
import { SidePanel } from './side-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { TabStrip } from './tab-strip.tsx';
import { labelOf, searchKey, unsavedTabs, type RecordTab } from './tabs-state.ts';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { targetOf, useWorkbench } from './use-workbench.ts';

/** The frame: bar, side panel, tabs, the active tab, status bar, and the dialogs that belong to all of them. */
export function Workbench() {
  const { tabs, dispatch, io, open, close } = useWorkbench();
  const search = useSearch();
  const overview = useOverview().data;
  const theme = useTheme();
  const announce = useAnnounce();
  const patientField = useRef<HTMLInputElement>(null);
  const [discard, setDiscard] = useState<Discard>();
  const [patching, setPatching] = useState<string>();
  const [help, setHelp] = useState(false);
  useUnsavedGuard(unsavedTabs(tabs).length);

  const found = search.rows.length > 0;
  useEffect(() => {
    // Once there is something to open, and the page is at rest: opening it is then immediate.
    if (found) requestIdleCallback(() => void loadMonaco().catch(() => undefined), { timeout: 2000 });
  }, [found]);

  const active = tabs.tabs.find((tab) => tab.key === tabs.active);
  // The record that was in front last stays mounted behind the search, and with it the one editor.
  const [lastShown, setLastShown] = useState<string>();
  if (active && active.key !== lastShown) setLastShown(active.key);
  const shown = active ?? tabs.tabs.find((tab) => tab.key === lastShown) ?? tabs.tabs[0];

  const activate = useCallback((key: string) => dispatch({ type: 'activate', key }), [dispatch]);
  const focusSearch = useCallback(() => {
    activate(searchKey);
    requestAnimationFrame(() => patientField.current?.select());
  }, [activate]);

  /** Does what would lose edits only after asking. */
  function guarded(tab: RecordTab, proceed: () => void) {
    if (isUnsaved(tab.record)) setDiscard({ title: labelOf(tab), proceed });
    else proceed();
  }
  const requestClose = (tab: RecordTab) => guarded(tab, () => close(tab));
  const reload = (tab: RecordTab) => guarded(tab, () => void io.read(targetOf(tab, dispatch)));

  function runOnRecord(action: keyof RecordActions, tab: RecordTab) {
    const refusal = refusals(tab.record.phase, tab.record.base !== undefined)[action];
    if (refusal !== undefined) {
      announce(refusal);
      return;
    }
    const run = {
      format: () => formatRecord(targetOf(tab, dispatch)),
      reload: () => reload(tab),
      patch: () => setPatching(tab.key),
      review: () => dispatch({ type: 'record', key: tab.key, action: { type: 'review' } }),
    };
    run[action]();
  }

  useCommands((id) => {
    switch (id) {
      case 'search.focus':
        focusSearch();
        return;
      case 'tab.close':
        if (active) requestClose(active);
        return;
      case 'view.theme':
        theme.choose(theme.theme === 'dark' ? 'light' : 'dark');
        return;
      case 'record.format':
        if (active) runOnRecord('format', active);
        return;
      case 'record.reload':
        if (active) runOnRecord('reload', active);
        return;
      case 'record.patch':
        if (active) runOnRecord('patch', active);
        return;
      case 'record.review':
        if (active) runOnRecord('review', active);
    }
  });

  const patched = tabs.tabs.find((tab) => tab.key === patching);
  return (
    <div className={styles.frame}>
      <TopBar overview={overview} theme={theme} onHelp={() => setHelp(true)} />
      <SidePanel
        search={search}
        tabs={tabs}
        onFind={focusSearch}
        onSearched={() => activate(searchKey)}
        onActivate={activate}
      />
      <main className={styles.main}>
        <TabStrip tabs={tabs} onActivate={activate} onClose={requestClose} />
        <div className={styles.stack}>
          <div
            id="panel-search"
            role="tabpanel"
            aria-label={text.tabs.search}
            className={styles.pane}
            inert={active !== undefined}
          >
            <SearchView
              search={search}
              overview={overview}
              patientField={patientField}
              front={active === undefined}
              onOpen={open}
            />
          </div>
          {shown && (
            <div
              id="panel-record"
              role="tabpanel"
              aria-label={labelOf(shown)}
              className={styles.pane}
              inert={active === undefined}
            >
              <ErrorBoundary>
                <RecordPanel
                  target={targetOf(shown, dispatch)}
                  io={io}
                  front={active !== undefined && patching === undefined}
                  onPatch={() => setPatching(shown.key)}
                  onReload={() => reload(shown)}
                />
              </ErrorBoundary>
            </div>
          )}
        </div>
      </main>
      <StatusBar record={active?.record} />
      {patched && (
        <PatchTab
          tab={patched}
          io={io}
          target={targetOf(patched, dispatch)}
          onClose={() => setPatching(undefined)}
        />
      )}
      <DiscardDialog discard={discard} onClose={() => setDiscard(undefined)} />
      <HelpDialog opened={help} onClose={() => setHelp(false)} />
    </div>
  );
}
