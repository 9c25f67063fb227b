import { Tabs } from '@mantine/core';
import { recordViews } from '../../../core/app/preferences.ts';
import { text } from '../../ui/text.ts';
import styles from './record.module.css';
import type { ViewLayout } from './use-record-view.ts';

/** Names the tabs and what they show to each other. */
const id = 'record-view';

/** What the chosen tab shows says which it is. */
export function panelOf(view: string) {
  return { id: `${id}-panel-${view}`, role: 'tabpanel', 'aria-labelledby': `${id}-tab-${view}` } as const;
}

/** As what the record is shown: laid out for a reader, as its JSON, or both. */
export function ViewTabs({ view, choose, roomForBoth }: ViewLayout) {
  return (
    <Tabs
      id={id}
      value={view}
      onChange={(value) => {
        const chosen = recordViews.find((one) => one === value);
        if (chosen) choose(chosen);
      }}
      variant="none"
      classNames={{ root: styles.views ?? '', list: styles.viewList ?? '', tab: styles.viewTab ?? '' }}
    >
      <Tabs.List aria-label={text.recordViews.name}>
        {recordViews.map((one) => (
          <Tabs.Tab
            key={one}
            value={one}
            {...(one === 'both' && !roomForBoth && { disabled: true, title: text.recordViews.narrow })}
          >
            {text.recordViews[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
