import { IconHistory, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { bareIds } from '../../../core/fhir/reference.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { criteriaOf, keyOf } from './criteria.ts';
import { describe, targetOf } from './describe.ts';
import { useForgetRecents, useRecentSearches, useSavedSearches } from './saved-searches.ts';
import { SavedItem } from './saved-item.tsx';
import styles from './search.module.css';

interface SearchListsProps {
  readonly onSearch: (search: SearchQuery) => void;
}

/** Recent and saved searches of the left panel. */
export const SearchLists = memo(function SearchLists({ onSearch }: SearchListsProps) {
  const recent = useRecentSearches();
  const savedSearches = useSavedSearches();
  return (
    <>
      <RecentHeading hasRecentSearches={recent.length > 0} />
      {recent.length === 0 ? (
        <p>{text.side.noRecent}</p>
      ) : (
        <RecentList searches={recent} onSearch={onSearch} />
      )}
      <h2>{text.saved.heading}</h2>
      {savedSearches.length === 0 ? (
        <p>{text.saved.none}</p>
      ) : (
        <ul className={styles.kept}>
          {savedSearches.map((search) => (
            <SavedItem key={search.id} search={search} onSearch={onSearch} />
          ))}
        </ul>
      )}
    </>
  );
});

function RecentHeading({ hasRecentSearches }: { readonly hasRecentSearches: boolean }) {
  const forget = useForgetRecents();
  return (
    <div className={styles.keptHeading}>
      <h2>{text.side.recent}</h2>
      {hasRecentSearches && (
        <IconButton label={text.saved.forget} onClick={() => forget.mutate()}>
          <IconTrash size={14} />
        </IconButton>
      )}
    </div>
  );
}

interface RecentListProps extends SearchListsProps {
  readonly searches: readonly SearchQuery[];
}

/** List of recent searches. */
export function RecentList({ searches, onSearch }: RecentListProps) {
  return (
    <ul className={styles.kept}>
      {searches.map((search) => (
        <li key={keyOf(search)}>
          <RecentButton search={search} onSearch={onSearch} />
        </li>
      ))}
    </ul>
  );
}

/** Button that runs a search, labeled with its patient. */
function RecentButton({ search, onSearch }: SearchListsProps & { readonly search: SearchQuery }) {
  const { patient } = criteriaOf(search);
  const name = useNameOf(patient.includes(',') ? '' : bareIds(patient));
  return (
    <button
      type="button"
      className={styles.keptButton}
      title={describe(search)}
      onClick={() => onSearch({ type: search.type, pairs: search.pairs })}
    >
      <IconHistory size={14} aria-hidden />
      <span>{targetOf(search, name)}</span>
      <small>{search.type}</small>
    </button>
  );
}
