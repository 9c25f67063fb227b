import { IconX } from '@tabler/icons-react';
import { isUnsaved } from '../features/record/record-state.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { labelOf } from './tab-labels.ts';
import type { Tab } from './tabs-state.ts';
import { viewOf } from './views.tsx';

interface TabItemProps {
  readonly tab: Tab;
  readonly selected: boolean;
  readonly onActivate: (key: string) => void;
  readonly onClose: (tab: Tab) => void;
}

/** One tab that can be closed: a record with its mark for unsaved changes, or a view with its icon. */
export function TabItem({ tab, selected, onActivate, onClose }: TabItemProps) {
  const unsaved = tab.kind === 'record' && isUnsaved(tab.record);
  const label = labelOf(tab);
  const Icon = tab.kind === 'view' ? viewOf(tab.view)?.icon : undefined;
  return (
    <div
      id={`tab-${tab.key}`}
      role="tab"
      className={styles.tab}
      title={tab.kind === 'record' ? `${label} · ${tab.record.type}/${tab.record.id}` : label}
      aria-label={label}
      aria-description={unsaved ? text.tabs.unsaved : undefined}
      aria-selected={selected}
      aria-controls={panelOf(tab, selected)}
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
      {Icon && <Icon size={14} aria-hidden />}
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

/** The panel that a tab controls. Records share one, which holds the one editor. */
function panelOf(tab: Tab, selected: boolean): string | undefined {
  if (tab.kind === 'view') return `panel-${tab.key}`;
  return selected ? 'panel-record' : undefined;
}
