import { memo } from 'react';
import { trustPartOf, type ViewId } from '../../core/app/views.ts';
import { DraftList } from '../features/record/drafts/draft-list.tsx';
import { SearchLists } from '../features/search/search-lists.tsx';
import { localConnection, useConnection } from '../platform/connection.ts';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { views, type View } from './views.tsx';

interface SidePanelProps {
  /** Active view; undefined if a record is active. */
  readonly active: ViewId | undefined;
}

const listedViews = views.filter(({ unlisted }) => unlisted === undefined);

/** Left panel: views with counts, drafts, recent and saved searches. */
export const SidePanel = memo(function SidePanel({ active }: SidePanelProps) {
  const { openView, search } = useWorkbenchActions();
  return (
    <nav id="side-panel" className={styles.side} aria-label={text.side.name} data-region="views">
      {listedViews.map((view) => (
        <ViewEntry key={view.id} view={view} current={view.id === active} onOpen={openView} />
      ))}
      <DraftList />
      <SearchLists onSearch={({ pairs, type }) => search(pairs, type)} />
    </nav>
  );
});

interface ViewEntryProps {
  readonly view: View;
  readonly current: boolean;
  readonly onOpen: (id: ViewId) => void;
}

function ViewEntry({ view, current, onOpen }: ViewEntryProps) {
  const { id, icon: Icon, count: Count, local } = view;
  const label = text.views[id];
  const { remote } = useConnection();
  const isOnlyLocal = remote !== undefined && local;
  return (
    <button
      type="button"
      className={styles.view}
      // Indented under the Trust entry.
      data-part={trustPartOf(id) && true}
      aria-current={current ? 'page' : undefined}
      title={isOnlyLocal ? text.connections.ofLocal : label}
      onClick={() => onOpen(id)}
    >
      <Icon size={16} aria-hidden />
      <span>{label}</span>
      {isOnlyLocal && <small aria-hidden>{localConnection.name}</small>}
      {!isOnlyLocal && Count && (
        <small>
          <Count />
        </small>
      )}
    </button>
  );
}
