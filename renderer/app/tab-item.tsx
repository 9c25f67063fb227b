import { IconUser, IconX } from '@tabler/icons-react';
import { memo } from 'react';
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
export const TabItem = memo(function TabItem({ tab, selected, onActivate, onClose }: TabItemProps) {
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
