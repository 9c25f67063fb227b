/**
 * The inspector of the open record, next to its text. RecordPanel mounts it and passes its content. It knows
 * neither the editor nor the state of the tab.
 */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { inspectorTabs, type InspectorTab } from '../../../../core/app/preferences.ts';
import { text } from '../../../ui/text.ts';
import type { InspectorLayout } from '../use-inspector.ts';
import styles from './inspector.module.css';

interface InspectorProps {
  readonly layout: InspectorLayout;
  /** Number of issues of the text; undefined until it was validated. */
  readonly issueCount: number | undefined;
  /** Content by tab. A tab without content is not offered. */
  readonly panes: Readonly<Partial<Record<InspectorTab, ReactNode>>>;
}

/**
 * Tabs next to the editor or below the reading view. Below it, a second press on a tab folds the inspector.
 */
export function Inspector({ layout, issueCount, panes }: InspectorProps) {
  const { position, tab, isFolded, panel, fold, setTab } = layout;
  const isBelow = position === 'below';
  const availableTabs = inspectorTabs.filter((name) => panes[name] !== undefined);
  const activeTab = availableTabs.includes(tab) ? tab : 'summary';
  return (
    <aside
      className={styles.inspector}
      {...(!isBelow && { style: { width: panel.value } })}
      data-folded={isFolded}
      aria-label={text.inspector.name}
    >
      <Tabs
        value={isFolded ? null : activeTab}
        allowTabDeactivation={isBelow}
        onChange={(value) => {
          if (value === null) fold();
          const selectedTab = inspectorTabs.find((name) => name === value);
          if (selectedTab) setTab(selectedTab);
        }}
        keepMounted={false}
        classNames={{ root: styles.tabs ?? '', list: styles.list ?? '', tab: styles.tab ?? '' }}
      >
        <Tabs.List aria-label={text.inspector.name}>
          {availableTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {`${text.inspector.tabs[name]} `}
              {name === 'issues' && issueCount !== undefined && (
                <span className={styles.count} data-some={issueCount > 0}>
                  {issueCount}
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {availableTabs.map((name) => (
          <Tabs.Panel key={name} value={name} className={styles.pane ?? ''}>
            {panes[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </aside>
  );
}
