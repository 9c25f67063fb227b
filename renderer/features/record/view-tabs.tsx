import { Tabs } from '@mantine/core';
import { recordViews } from '../../../core/app/preferences.ts';
import { text } from '../../ui/text.ts';
import styles from './record.module.css';
import type { ViewLayout } from './use-record-view.ts';

/** Id prefix that links tabs and panels. */
const id = 'record-view';

/** Returns the attributes of the panel, which is labeled by its tab. */
export function panelOf(view: string) {
  return { id: `${id}-panel-${view}`, role: 'tabpanel', 'aria-labelledby': `${id}-tab-${view}` } as const;
}

/** Tabs that select the reading view, the JSON or both. */
export function ViewTabs({ view, choose, roomForBoth }: ViewLayout) {
  return (
    <Tabs
      id={id}
      value={view}
      onChange={(value) => {
        const selectedView = recordViews.find((candidate) => candidate === value);
        if (selectedView) choose(selectedView);
      }}
      variant="none"
      classNames={{ root: styles.views ?? '', list: styles.viewList ?? '', tab: styles.viewTab ?? '' }}
    >
      <Tabs.List aria-label={text.recordViews.name}>
        {recordViews.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            {...(name === 'both' && !roomForBoth && { disabled: true, title: text.recordViews.narrow })}
          >
            {text.recordViews[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
