import { memo } from 'react';
import type { ViewId } from '../../core/app/views.ts';
import { DraftList } from '../features/record/drafts/draft-list.tsx';
import { SearchLists } from '../features/search/search-lists.tsx';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { searchKey } from './tabs-state.ts';
import { views } from './views.tsx';

interface SidePanelProps {
  /** Key of the tab in front. */
  readonly active: string;
}

/** The left panel: the views with their counts, the recent searches and the saved ones. */
export const SidePanel = memo(function SidePanel({ active }: SidePanelProps) {
  const { openView, search } = useWorkbenchActions();
  return (
    <nav id="side-panel" className={styles.side} aria-label={text.side.name} data-region="views">
      {views.map(({ id, label, icon: Icon, count: Count }) => (
        <button
          key={id}
          type="button"
          className={styles.view}
          aria-current={isActive(active, id) ? 'page' : undefined}
          onClick={() => openView(id)}
        >
          <Icon size={16} aria-hidden />
          <span>{label}</span>
          {Count && (
            <small>
              <Count />
            </small>
          )}
        </button>
      ))}
      <DraftList />
      <SearchLists onSearch={({ pairs, type }) => search(pairs, type)} />
    </nav>
  );
});

function isActive(active: string, id: ViewId): boolean {
  return active === (id === 'search' ? searchKey : `view-${id}`);
}
