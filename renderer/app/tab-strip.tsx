import { IconListSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { isUnsaved } from '../features/record/record-state.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { labelOf, searchKey, type RecordTab, type TabsState } from './tabs-state.ts';

interface TabStripProps {
  readonly tabs: TabsState;
  readonly onActivate: (key: string) => void;
  readonly onClose: (tab: RecordTab) => void;
}

/** The tabs: the search and the open records. Arrows move, Delete or a middle click closes. */
export function TabStrip({ tabs, onActivate, onClose }: TabStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const keys = [searchKey, ...tabs.tabs.map((tab) => tab.key)];

  useEffect(() => {
    strip.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tabs.active, tabs.tabs.length]);

  function onKeyDown(event: KeyboardEvent) {
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

  return (
    <div ref={strip} className={styles.tabs} role="tablist" aria-label={text.tabs.name} onKeyDown={onKeyDown}>
      <div
        id={`tab-${searchKey}`}
        role="tab"
        className={styles.tab}
        aria-selected={tabs.active === searchKey}
        aria-controls="panel-search"
        tabIndex={tabs.active === searchKey ? 0 : -1}
        onClick={() => onActivate(searchKey)}
      >
        <IconListSearch size={14} aria-hidden />
        <span>{text.tabs.search}</span>
      </div>
      {tabs.tabs.map((tab) => (
        <RecordTabItem
          key={tab.key}
          tab={tab}
          selected={tabs.active === tab.key}
          onActivate={onActivate}
          onClose={onClose}
        />
      ))}
    </div>
  );
}

interface RecordTabItemProps extends Omit<TabStripProps, 'tabs'> {
  readonly tab: RecordTab;
  readonly selected: boolean;
}

function RecordTabItem({ tab, selected, onActivate, onClose }: RecordTabItemProps) {
  const unsaved = isUnsaved(tab.record);
  const label = labelOf(tab);
  return (
    <div
      id={`tab-${tab.key}`}
      role="tab"
      className={styles.tab}
      title={`${label} · ${tab.record.type}/${tab.record.id}`}
      aria-label={label}
      aria-description={unsaved ? text.tabs.unsaved : undefined}
      aria-selected={selected}
      aria-controls={selected ? 'panel-record' : undefined}
      aria-keyshortcuts="Delete"
      data-unsaved={unsaved || undefined}
      tabIndex={selected ? 0 : -1}
      onClick={() => onActivate(tab.key)}
      onMouseDown={(event) => {
        if (event.button !== 1) return;
        // A middle click would scroll here, and on Linux paste into whatever text has the focus.
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onAuxClick={(event) => {
        if (event.button === 1) onClose(tab);
      }}
    >
      <span>{label}</span>
      {/* For the pointer alone: a tab may hold nothing that takes the focus; keys close it with Delete. */}
      <span
        className={styles.close}
        aria-hidden
        title={text.tabs.close(label)}
        onClick={(event) => {
          event.stopPropagation();
          onClose(tab);
        }}
      >
        <i />
        <IconX size={14} />
      </span>
    </div>
  );
}
