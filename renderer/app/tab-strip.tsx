import { IconListSearch } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { TabItem } from './tab-item.tsx';
import { TabList } from './tab-list.tsx';
import { searchKey, tabKeys, type Tab, type TabsState } from './tabs-state.ts';

export interface TabStripProps {
  readonly tabs: TabsState;
  readonly onActivate: (key: string) => void;
  readonly onClose: (tab: Tab) => void;
}

/** The tabs: the search, the views and the open records. Arrows move, Delete or a middle click closes. */
export function TabStrip({ tabs, onActivate, onClose }: TabStripProps) {
  const strip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    strip.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tabs.active, tabs.tabs.length]);

  function onKeyDown(event: KeyboardEvent) {
    const keys = tabKeys(tabs);
    const at = keys.indexOf(tabs.active);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: keys.length - 1 }[event.key];
    const key = target === undefined ? undefined : keys[(target + keys.length) % keys.length];
    if (key !== undefined) {
      event.preventDefault();
      onActivate(key);
      document.getElementById(`tab-${key}`)?.focus();
    } else if (event.key === 'Delete') {
      const tab = tabs.tabs.find((one) => one.key === tabs.active);
      if (tab) onClose(tab);
    }
  }

  const searchInFront = tabs.active === searchKey;
  return (
    <div className={styles.tabBar} data-region="tabs">
      <div
        ref={strip}
        className={styles.tabs}
        role="tablist"
        aria-label={text.tabs.name}
        onKeyDown={onKeyDown}
        onWheel={({ currentTarget, deltaX, deltaY }) => {
          if (deltaX === 0) currentTarget.scrollLeft += deltaY;
        }}
      >
        <div
          id={`tab-${searchKey}`}
          role="tab"
          className={styles.tab}
          aria-selected={searchInFront}
          aria-controls="panel-search"
          tabIndex={searchInFront ? 0 : -1}
          onClick={() => onActivate(searchKey)}
        >
          <IconListSearch size={14} aria-hidden />
          <span>{text.views.search}</span>
        </div>
        {tabs.tabs.map((tab) => (
          <TabItem
            key={tab.key}
            tab={tab}
            selected={tabs.active === tab.key}
            onActivate={onActivate}
            onClose={onClose}
          />
        ))}
      </div>
      <TabList tabs={tabs} onActivate={onActivate} />
    </div>
  );
}
