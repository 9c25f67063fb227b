import { IconListSearch } from '@tabler/icons-react';
import { memo, useEffect, useRef, type KeyboardEvent } from 'react';
import { useAfterPaint } from '../ui/after-paint.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import type { TabFace } from './tab-faces.ts';
import { TabItem } from './tab-item.tsx';
import { TabList } from './tab-list.tsx';
import { searchKey } from './tabs-state.ts';

export interface TabStripProps {
  readonly tabs: readonly TabFace[];
  /** Key of the tab in front. */
  readonly active: string;
  readonly onActivate: (key: string) => void;
  readonly onClose: (key: string) => void;
}

/** The tabs: the search, the views and the open records. Arrows move, Delete or a middle click closes. */
export const TabStrip = memo(function TabStrip({ tabs, active, onActivate, onClose }: TabStripProps) {
  const strip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // In the frame itself: sooner, the page would be laid out once more for it.
    const frame = requestAnimationFrame(() => {
      strip.current
        ?.querySelector('[aria-selected=true]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [active, tabs.length]);

  function onKeyDown(event: KeyboardEvent) {
    const keys = [searchKey, ...tabs.map(({ key }) => key)];
    const at = keys.indexOf(active);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: keys.length - 1 }[event.key];
    const key = target === undefined ? undefined : keys[(target + keys.length) % keys.length];
    if (key !== undefined) {
      event.preventDefault();
      onActivate(key);
      document.getElementById(`tab-${key}`)?.focus();
    } else if (event.key === 'Delete') {
      onClose(active);
    }
  }

  const searchInFront = active === searchKey;
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
        {tabs.map((tab) => (
          <TabItem
            key={tab.key}
            tab={tab}
            selected={active === tab.key}
            onActivate={onActivate}
            onClose={onClose}
          />
        ))}
      </div>
      <TabList tabs={useAfterPaint(tabs)} active={useAfterPaint(active)} onActivate={onActivate} />
    </div>
  );
});
