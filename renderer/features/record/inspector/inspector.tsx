/**
 * features/record/inspector shows what the open record says, beside its text. RecordPanel mounts it and hands in
 * everything; it knows neither the editor nor the tab's state.
 */
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { inspectorTabs, type InspectorTab } from '../../../../core/app/preferences.ts';
import { text } from '../../../ui/text.ts';
import type { InspectorLayout } from '../use-inspector.ts';
import styles from './inspector.module.css';

interface InspectorProps {
  readonly layout: InspectorLayout;
  /** How many issues the text has; unknown until it was judged. */
  readonly issueCount: number | undefined;
  /** Absent where there is nothing to show under that tab: the tab is not offered then. */
  readonly panes: Readonly<Partial<Record<InspectorTab, ReactNode>>>;
}

/** The inspector: tabs beside the editor, or below the reading view, where they fold it away when they are pressed again. */
export function Inspector({ layout, issueCount, panes }: InspectorProps) {
  const { place, tab, folded, edge, fold, setTab } = layout;
  const below = place === 'below';
  const offered = inspectorTabs.filter((one) => panes[one] !== undefined);
  const shown = offered.includes(tab) ? tab : 'summary';
  return (
    <aside
      className={styles.inspector}
      {...(!below && { style: { width: edge.value } })}
      data-folded={folded}
      aria-label={text.inspector.name}
    >
      <Tabs
        value={folded ? null : shown}
        allowTabDeactivation={below}
        onChange={(value) => {
          if (value === null) fold();
          const chosen = inspectorTabs.find((one) => one === value);
          if (chosen) setTab(chosen);
        }}
        keepMounted={false}
        classNames={{ root: styles.tabs ?? '', list: styles.list ?? '', tab: styles.tab ?? '' }}
      >
        <Tabs.List aria-label={text.inspector.name}>
          {offered.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {`${text.inspector.tabs[one]} `}
              {one === 'issues' && issueCount !== undefined && (
                <span className={styles.count} data-some={issueCount > 0}>
                  {issueCount}
                </span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {offered.map((one) => (
          <Tabs.Panel key={one} value={one} className={styles.pane ?? ''}>
            {panes[one]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </aside>
  );
}
