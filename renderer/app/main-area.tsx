import { VisuallyHidden } from '@mantine/core';
import { memo, useState, type ReactNode } from 'react';
import { AccessStrip } from '../features/connections/access-strip.tsx';
import { LocalOnly } from '../features/connections/local-only.tsx';
import { PatientView } from '../features/patient/patient-view.tsx';
import type { SearchQuery } from '../../core/app/searches.ts';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { useConnection } from '../platform/connection.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { FrontContext } from '../ui/front.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { labelOf } from './tab-labels.ts';
import { useTabFaces } from './tab-faces.ts';
import { LossStrip } from '../features/damage/loss-strip.tsx';
import { TabStrip, type TabStripProps } from './tab-strip.tsx';
import { searchKey } from './search-tabs.ts';
import type { PatientTab, RecordTab, ViewTab } from './tab-kinds.ts';
import { recordTabs, type TabsState } from './tabs-state.ts';
import { TrustRoom } from './trust-room.tsx';
import { viewOf } from './views.tsx';

interface MainAreaProps extends Pick<TabStripProps, 'onActivate' | 'onClose' | 'onNewSearch'> {
  readonly tabs: TabsState;
  readonly renderSearch: (key: string, first: SearchQuery | undefined) => ReactNode;
  readonly renderRecord: (tab: RecordTab, front: boolean) => ReactNode;
}

/** The tabs and beneath them the one in front; the others stay mounted behind it, out of reach. */
export function MainArea({ tabs, renderSearch, renderRecord, ...tabStrip }: MainAreaProps) {
  const records = recordTabs(tabs);
  const active = records.find(({ key }) => key === tabs.active);
  // The record that was in front last stays mounted behind the others, and with it the one editor.
  const [lastShown, setLastShown] = useState<string>();
  if (active && active.key !== lastShown) setLastShown(active.key);
  const shown = active ?? records.find(({ key }) => key === lastShown) ?? records[0];

  return (
    <main className={styles.main}>
      <div>
        <LossStrip />
        <AccessStrip />
        <TabStrip {...tabStrip} tabs={useTabFaces(tabs)} active={tabs.active} />
      </div>
      <div className={styles.stack} data-region="main">
        {/* What fails while a pane goes is nobody's within it. */}
        <ErrorBoundary>
          <Pane id={`panel-${searchKey}`} label={text.views.search} front={tabs.active === searchKey}>
            {renderSearch(searchKey, undefined)}
          </Pane>
          {tabs.tabs
            .filter((tab) => tab.kind === 'search')
            .map((tab) => (
              <Pane
                key={tab.key}
                id={`panel-${tab.key}`}
                label={labelOf(tab)}
                front={tabs.active === tab.key}
              >
                {renderSearch(tab.key, tab.asked?.query)}
              </Pane>
            ))}
          {tabs.tabs
            .filter((tab) => tab.kind === 'view' || tab.kind === 'patient')
            .map((tab) => (
              <TabPane key={tab.key} tab={tab} front={tabs.active === tab.key} />
            ))}
          {shown && (
            <Pane id="panel-record" label={labelOf(shown)} front={active !== undefined} titled={false}>
              {renderRecord(shown, active !== undefined)}
            </Pane>
          )}
        </ErrorBoundary>
      </div>
    </main>
  );
}

interface TabPaneProps {
  readonly tab: ViewTab | PatientTab;
  readonly front: boolean;
}

const TabPane = memo(function TabPane({ tab, front }: TabPaneProps) {
  return (
    <Pane id={`panel-${tab.key}`} label={labelOf(tab)} front={front}>
      {tab.kind === 'view' ? (
        <BuiltView id={tab.view} front={front} />
      ) : (
        <PatientView patient={tab.patient} front={front} />
      )}
    </Pane>
  );
});

function BuiltView({ id, front }: { readonly id: ViewId; readonly front: boolean }) {
  const { remote } = useConnection();
  const view = viewOf(id);
  const part = trustPartOf(id);
  if (remote && view?.local) return <LocalOnly view={text.views[id]} />;
  if (part) return <TrustRoom part={part} front={front} />;
  const Component = view?.component;
  return Component && <Component front={front} />;
}

interface PaneProps {
  readonly id: string;
  readonly label: string;
  readonly front: boolean;
  readonly children: ReactNode;
  readonly titled?: boolean;
}

function Pane({ id, label, front, titled = true, children }: PaneProps) {
  const face = front ? { role: 'tabpanel', 'aria-label': label } : { 'data-behind': true };
  return (
    <div id={id} className={styles.pane} {...face}>
      {/* A record has the heading of its own that every page needs. */}
      {titled && <VisuallyHidden component="h1">{label}</VisuallyHidden>}
      <ErrorBoundary>
        <FrontContext value={front}>{children}</FrontContext>
      </ErrorBoundary>
    </div>
  );
}
