import { Menu } from '@mantine/core';
import { IconChevronDown, IconPlus, IconPointFilled } from '@tabler/icons-react';
import { memo, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useAfterPaint } from '../ui/after-paint.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { useTabMessages, type TabPresentation } from './tab-presentation.ts';
import { TabItem } from './tab-item.tsx';

interface TabBarProps {
  readonly tabs: readonly TabPresentation[];
  /** Key of the active tab. */
  readonly active: string;
  readonly onActivate: (key: string) => void;
  readonly onClose: (key: string) => void;
  readonly onNewSearch: () => void;
}

const isAlwaysReachable = ({ view }: TabPresentation) => view === 'search' || view === 'overview';

/** Tabs of searches, views and open records. Arrows move, Delete or a middle click closes. */
export const TabBar = memo(function TabBar(props: TabBarProps) {
  const { tabs, active, onActivate, onClose, onNewSearch } = props;
  const list = useRef<HTMLDivElement>(null);
  useScrollToActive(list, active, tabs.length);
  function onKeyDown(event: KeyboardEvent) {
    const keys = tabs.map(({ key }) => key);
    const activeIndex = keys.indexOf(active);
    const targetIndex = {
      ArrowRight: activeIndex + 1,
      ArrowLeft: activeIndex - 1,
      Home: 0,
      End: keys.length - 1,
    }[event.key];
    const key = targetIndex === undefined ? undefined : keys[(targetIndex + keys.length) % keys.length];
    if (key !== undefined) {
      event.preventDefault();
      onActivate(key);
      document.getElementById(`tab-${key}`)?.focus();
    } else if (event.key === 'Delete') {
      onClose(active);
    }
  }

  const renderItem = (tab: TabPresentation) => (
    <TabItem
      key={tab.key}
      tab={tab}
      selected={active === tab.key}
      onActivate={onActivate}
      onClose={onClose}
    />
  );
  return (
    <div className={styles.tabBar} data-region="tabs">
      <div
        ref={list}
        className={styles.tabs}
        role="tablist"
        aria-label={text.tabs.name}
        onKeyDown={onKeyDown}
      >
        {/* Overview and searches stay visible however many records are open. */}
        <div className={styles.searches} role="presentation">
          {tabs.filter(isAlwaysReachable).map(renderItem)}
        </div>
        <div
          className={styles.others}
          role="presentation"
          onWheel={({ currentTarget, deltaX, deltaY }) => {
            if (deltaX === 0) currentTarget.scrollLeft += deltaY;
          }}
        >
          {tabs.filter((tab) => !isAlwaysReachable(tab)).map(renderItem)}
        </div>
      </div>
      <IconButton label={text.tabs.newSearch} className={styles.newSearch ?? ''} onClick={onNewSearch}>
        <IconPlus size={16} />
      </IconButton>
      <TabList tabs={useAfterPaint(tabs)} active={useAfterPaint(active)} onActivate={onActivate} />
    </div>
  );
});

/** Scrolls to the active tab. */
function useScrollToActive(list: RefObject<HTMLElement | null>, active: string, count: number): void {
  useEffect(() => {
    // In the next frame: an earlier call would force an additional layout.
    const frame = requestAnimationFrame(() => {
      list.current
        ?.querySelector('[aria-selected=true]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [list, active, count]);
}

type TabListProps = Pick<TabBarProps, 'tabs' | 'active' | 'onActivate'>;

/** Menu of all open tabs, if the bar has no room for them. */
const TabList = memo(function TabList({ tabs, active, onActivate }: TabListProps) {
  if (tabs.length <= 1) return null;
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <IconButton label={text.tabs.list} className={styles.tabList ?? ''}>
          <IconChevronDown size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.tabMenu ?? ''}>
        {tabs.map((tab) => (
          <TabEntry key={tab.key} tab={tab} active={active} onActivate={onActivate} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

interface TabEntryProps extends Pick<TabListProps, 'active' | 'onActivate'> {
  readonly tab: TabPresentation;
}

function TabEntry({ tab, active, onActivate }: TabEntryProps) {
  const { key, isUnsaved } = tab;
  const { name } = useTabMessages(tab);
  return (
    <Menu.Item
      aria-current={active === key ? 'page' : undefined}
      rightSection={isUnsaved && <IconPointFilled size={14} aria-label={text.tabs.unsaved} />}
      onClick={() => onActivate(key)}
    >
      {name}
    </Menu.Item>
  );
}
