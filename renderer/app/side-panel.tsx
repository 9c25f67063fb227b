import type { ViewId } from '../../core/app/views.ts';
import { DraftList } from '../features/record/drafts/draft-list.tsx';
import { SearchLists } from '../features/search/search-lists.tsx';
import type { Search } from '../features/search/use-search.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { searchKey, type TabsState } from './tabs-state.ts';
import { views } from './views.tsx';

interface SidePanelProps {
  readonly search: Search;
  readonly tabs: TabsState;
  readonly onView: (id: ViewId) => void;
  /** A search was run from here. */
  readonly onSearched: () => void;
}

/** The left panel: the views with their counts, the recent searches and the saved ones. */
export function SidePanel({ search, tabs, onView, onSearched }: SidePanelProps) {
  return (
    <nav id="side-panel" className={styles.side} aria-label={text.side.name} data-region="views">
      {views.map(({ id, label, icon: Icon, count: Count }) => (
        <button
          key={id}
          type="button"
          className={styles.view}
          aria-current={isActive(tabs, id) ? 'page' : undefined}
          onClick={() => onView(id)}
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
      <SearchLists
        onSearch={(asked) => {
          search.run(asked);
          onSearched();
        }}
      />
    </nav>
  );
}

function isActive({ active }: TabsState, id: ViewId): boolean {
  return active === (id === 'search' ? searchKey : `view-${id}`);
}
