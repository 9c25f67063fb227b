import { Menu } from '@mantine/core';
import { IconChevronDown, IconPlus, IconPointFilled, IconUser, IconX } from '@tabler/icons-react';
import { memo, useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useAfterPaint } from '../ui/after-paint.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { useTabMessages, type TabPresentation } from './tab-presentation.ts';
import { findView } from './views.tsx';

interface TabItemProps {
  readonly tab: TabPresentation;
  readonly selected: boolean;
  readonly onActivate: (key: string) => void;
  readonly onClose: (key: string) => void;
}

/** One tab: a record with its mark for unsaved changes, or a view with its icon. */
const TabItem = memo(function TabItem({ tab, selected, onActivate, onClose }: TabItemProps) {
  const { key, title, isUnsaved, view, patient, isPermanent } = tab;
  const { label, name, count } = useTabMessages(tab);
  const Icon = patient ? IconUser : view && findView(view)?.icon;
  return (
    <div
      id={`tab-${key}`}
      role="tab"
      className={styles.tab}
      title={title}
      aria-label={name}
      aria-description={isUnsaved ? text.tabs.unsaved : undefined}
      aria-selected={selected}
      aria-controls={getPanelId(tab, selected)}
      aria-keyshortcuts={isPermanent ? undefined : 'Delete'}
      data-unsaved={isUnsaved || undefined}
      tabIndex={selected ? 0 : -1}
      onClick={() => onActivate(key)}
      onMouseDown={(event) => {
        if (event.button !== 1) return;
        // A middle click would scroll, and on Linux paste into the focused text.
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && !isPermanent) onClose(key);
      }}
    >
      {Icon && <Icon size={14} aria-hidden />}
      <span>{label}</span>
      {count !== undefined && <small>{` ${count}`}</small>}
      {/* Only for the pointer: a tab must not contain focusable elements. The key is Delete. */}
      {!isPermanent && (
        <span
          className={styles.close}
          aria-hidden
          title={text.tabs.close(label)}
          onClick={(event) => {
            event.stopPropagation();
            onClose(key);
          }}
        >
          <i />
          <IconX size={14} />
        </span>
      )}
    </div>
  );
});

/** Returns the id of the panel of a tab. All records share one panel, because there is one editor. */
function getPanelId({ key, view, patient }: TabPresentation, selected: boolean): string | undefined {
  if (view || patient) return `panel-${key}`;
  return selected ? 'panel-record' : undefined;
}

interface TabBarProps {
  readonly tabs: readonly TabPresentation[];
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
