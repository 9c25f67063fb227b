import { IconHistory } from '@tabler/icons-react';
import { text } from '../../ui/text.ts';
import { keyOf, type Criteria } from './search-state.ts';
import styles from './search.module.css';

interface RecentSearchesProps {
  readonly recent: readonly Criteria[];
  readonly onSearch: (criteria: Criteria) => void;
}

/** The searches of this session; each runs again. */
export function RecentSearches({ recent, onSearch }: RecentSearchesProps) {
  return (
    <ul className={styles.recent}>
      {recent.map((criteria) => (
        <li key={keyOf(criteria)}>
          <button type="button" title={text.search.describe(criteria)} onClick={() => onSearch(criteria)}>
            <IconHistory size={14} aria-hidden />
            <span className="mono">{text.search.target(criteria)}</span>
            <small>{criteria.type}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}
