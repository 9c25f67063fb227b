import { IconUser, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { useTabMessages, type TabPresentation } from './tab-presentation.ts';
import { viewOf } from './views.tsx';

interface TabItemProps {
  readonly tab: TabPresentation;
  readonly selected: boolean;
  readonly onActivate: (key: string) => void;
  readonly onClose: (key: string) => void;
}

/** One tab that can be closed: a record with its mark for unsaved changes, or a view with its icon. */
export const TabItem = memo(function TabItem({ tab, selected, onActivate, onClose }: TabItemProps) {
  const { key, title, unsaved, view, patient, stays } = tab;
  const { label, name, count } = useTabMessages(tab);
  const Icon = patient ? IconUser : view && viewOf(view)?.icon;
  return (
    <div
      id={`tab-${key}`}
      role="tab"
      className={styles.tab}
      title={title}
      aria-label={name}
      aria-description={unsaved ? text.tabs.unsaved : undefined}
      aria-selected={selected}
      aria-controls={getPanelId(tab, selected)}
      aria-keyshortcuts={stays ? undefined : 'Delete'}
      data-unsaved={unsaved || undefined}
      tabIndex={selected ? 0 : -1}
      onClick={() => onActivate(key)}
      onMouseDown={(event) => {
        if (event.button !== 1) return;
        // A middle click would scroll here, and on Linux paste into whatever text has the focus.
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && !stays) onClose(key);
      }}
    >
      {Icon && <Icon size={14} aria-hidden />}
      <span>{label}</span>
      {count !== undefined && <small>{` ${count}`}</small>}
      {/* For the pointer alone: a tab may hold nothing that takes the focus; keys close it with Delete. */}
      {!stays && (
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

/** The panel that a tab controls. Records share one, which holds the one editor. */
function getPanelId({ key, view, patient }: TabPresentation, selected: boolean): string | undefined {
  if (view || patient) return `panel-${key}`;
  return selected ? 'panel-record' : undefined;
}
