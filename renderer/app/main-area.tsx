import { VisuallyHidden } from '@mantine/core';
import { memo, useState, type ReactNode } from 'react';
import { AccessBanner } from '../features/connections/access-strip.tsx';
import { LocalOnly } from '../features/connections/local-only.tsx';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { useConnection } from '../platform/connection.ts';
import { loadMonaco } from '../platform/monaco-loader.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ActiveContext } from '../ui/active-context.ts';
import { lazyView, toLazyView } from '../ui/lazy-component.tsx';
import { createLazyModule } from '../ui/lazy-module.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import type { Overlay } from './record-overlays.tsx';
import { SearchHost, type SearchRuns } from './search-host.tsx';
import { useTabPresentations } from './tab-presentation.ts';
import { LossBanner } from '../features/damage/loss-strip.tsx';
import { TabBar } from './tab-bar.tsx';
import { formatTabLabel, searchKey, type PatientTab, type ViewTab } from './tab-kinds.ts';
import { listRecordTabs } from './tabs-state.ts';
import { TrustView } from './trust-view.tsx';
import type { GuardedTabs } from './use-guarded-tabs.tsx';
import type { Workbench } from './use-workbench.ts';
import { findView } from './views.tsx';

const PatientView = lazyView(async () => (await import('../features/patient/patient-view.tsx')).PatientView);

const recordPaneModule = createLazyModule(async () => {
  // At the same time: each record is shown in the editor. A failure is shown by the editor itself.
  loadMonaco().catch(() => undefined);
  return (await import('./record-pane.tsx')).RecordPane;
});
const RecordPane = toLazyView(recordPaneModule);

/** Loads the code of record tabs. */
export const loadRecordPane = recordPaneModule.load;

interface MainAreaProps {
  readonly workbench: Workbench;
  readonly guarded: GuardedTabs;
  readonly runs: SearchRuns;
  /** True if an overlay covers the tabs. */
  readonly isCovered: boolean;
  readonly onOverlay: (overlay: Overlay) => void;
}

/** Tab bar and the active tab. The other tabs stay mounted but inert. */
export function MainArea({ workbench, guarded, runs, isCovered, onOverlay }: MainAreaProps) {
  const { tabs, dispatch, requests, actions } = workbench;
  const records = listRecordTabs(tabs);
  const active = records.find(({ key }) => key === tabs.active);
  // The last active record stays mounted under the other tabs, because there is only one editor.
  const [lastRecordKey, setLastRecordKey] = useState<string>();
  if (active && active.key !== lastRecordKey) setLastRecordKey(active.key);
  const mountedRecord = active ?? records.find(({ key }) => key === lastRecordKey) ?? records[0];
  return (
    <main className={styles.main}>
      <div>
        <LossBanner />
        <AccessBanner />
        <TabBar
          tabs={useTabPresentations(tabs)}
          active={tabs.active}
          onActivate={actions.activate}
          onClose={guarded.closeTab}
          onNewSearch={actions.openSearch}
        />
      </div>
      <div className={styles.stack} data-region="main">
        {/* Catches errors while a pane unmounts; its own boundary cannot. */}
        <ErrorBoundary>
          {listSearches(tabs).map(({ key, label, initialQuery }) => (
            <Pane key={key} id={`panel-${key}`} label={label} isActive={tabs.active === key}>
              <SearchHost
                id={key}
                isActive={tabs.active === key}
                current={tabs.search === key}
                initialQuery={initialQuery}
                runs={runs}
                onRequest={actions.setTabQuery}
                onFront={actions.showSearch}
              />
            </Pane>
          ))}
          {tabs.tabs
            .filter((tab) => tab.kind === 'view' || tab.kind === 'patient')
            .map((tab) => (
              <TabPane key={tab.key} tab={tab} isActive={tabs.active === tab.key} />
            ))}
          {mountedRecord && (
            <Pane
              id="panel-record"
              label={formatTabLabel(mountedRecord)}
              isActive={active !== undefined}
              titled={false}
            >
              <RecordPane
                tab={mountedRecord}
                isActive={active !== undefined}
                dispatch={dispatch}
                requests={requests}
                isCovered={isCovered}
                onOverlay={onOverlay}
                guarded={guarded}
              />
            </Pane>
          )}
        </ErrorBoundary>
      </div>
    </main>
  );
}

/** Returns the permanent search, then the additional searches. */
function listSearches({ tabs }: Workbench['tabs']) {
  return [
    { key: searchKey, label: text.views.search, initialQuery: undefined },
    ...tabs
      .filter((tab) => tab.kind === 'search')
      .map((tab) => ({ key: tab.key, label: formatTabLabel(tab), initialQuery: tab.tabQuery?.query })),
  ];
}

interface TabPaneProps {
  readonly tab: ViewTab | PatientTab;
  readonly isActive: boolean;
}

const TabPane = memo(function TabPane({ tab, isActive }: TabPaneProps) {
  return (
    <Pane id={`panel-${tab.key}`} label={formatTabLabel(tab)} isActive={isActive}>
      {tab.kind === 'view' ? (
        <BuiltView id={tab.view} isActive={isActive} />
      ) : (
        <PatientView patient={tab.patient} isActive={isActive} />
      )}
    </Pane>
  );
});

function BuiltView({ id, isActive }: { readonly id: ViewId; readonly isActive: boolean }) {
  const { remote } = useConnection();
  const view = findView(id);
  const part = trustPartOf(id);
  if (remote && view?.local) return <LocalOnly view={text.views[id]} />;
  if (part) return <TrustView part={part} isActive={isActive} />;
  const Component = view?.component;
  return Component && <Component isActive={isActive} />;
}

interface PaneProps {
  readonly id: string;
  readonly label: string;
  readonly isActive: boolean;
  readonly children: ReactNode;
  readonly titled?: boolean;
}

function Pane({ id, label, isActive, titled = true, children }: PaneProps) {
  const paneProps = isActive ? { role: 'tabpanel', 'aria-label': label } : { 'data-behind': true };
  return (
    <div id={id} className={styles.pane} {...paneProps}>
      {/* Every page needs a heading; a record has its own. */}
      {titled && <VisuallyHidden component="h1">{label}</VisuallyHidden>}
      <ErrorBoundary>
        <ActiveContext value={isActive}>{children}</ActiveContext>
      </ErrorBoundary>
    </div>
  );
}
