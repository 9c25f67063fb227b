import { IconFileText, IconListSearch } from '@tabler/icons-react';
import { RecentSearches } from '../features/search/recent-searches.tsx';
import type { Search } from '../features/search/use-search.ts';
import { text } from '../ui/text.ts';
import styles from './app.module.css';
import { labelOf, searchKey, type TabsState } from './tabs-state.ts';

interface SidePanelProps {
  readonly search: Search;
  readonly tabs: TabsState;
  readonly onFind: () => void;
  /** A search was run from here. */
  readonly onSearched: () => void;
  readonly onActivate: (key: string) => void;
}

/** The left panel: the views, the searches of this session, the open records. */
export function SidePanel({ search, tabs, onFind, onSearched, onActivate }: SidePanelProps) {
  const { recent } = search.state;
  return (
    <nav className={styles.side} aria-label={text.side.name}>
      <button
        type="button"
        className={styles.view}
        aria-current={tabs.active === searchKey ? 'page' : undefined}
        onClick={onFind}
      >
        <IconListSearch size={16} aria-hidden />
        {text.side.find}
      </button>
      <h2>{text.side.recent}</h2>
      {recent.length === 0 ? (
        <p>{text.side.noRecent}</p>
      ) : (
        <RecentSearches
          recent={recent}
          onSearch={(criteria) => {
            search.submit(criteria);
            onSearched();
          }}
        />
      )}
      <h2>{text.side.open}</h2>
      {tabs.tabs.length === 0 ? (
        <p>{text.side.noOpen}</p>
      ) : (
        <ul>
          {tabs.tabs.map((tab) => (
            <li key={tab.key}>
              <button
                type="button"
                className={styles.item}
                aria-current={tabs.active === tab.key ? 'page' : undefined}
                title={`${labelOf(tab)} · ${tab.record.type}/${tab.record.id}`}
                onClick={() => onActivate(tab.key)}
              >
                <IconFileText size={14} aria-hidden />
                <span>{labelOf(tab)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
