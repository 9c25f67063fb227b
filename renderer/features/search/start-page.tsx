import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Overview } from '../../../core/app/models.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { emptyCriteria } from './criteria.ts';
import { FirstStart } from './first-start.tsx';
import { useRecentSearches, useSavedSearches } from './saved-searches.ts';
import { QuickPicks } from './quick-picks.tsx';
import { RemoteStart } from './remote-start.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import { SavedButton } from './saved-item.tsx';
import { RecentList } from './search-lists.tsx';
import styles from './search.module.css';
import type { Search } from './use-search.ts';

interface StartPageProps {
  readonly overview: Overview | undefined;
  readonly search: Search;
  /** Overview of a store with records. */
  readonly children?: ReactNode;
}

/** Start page before the first search: how to get records, or which searches to start with. */
export function StartPage({ overview, search, children }: StartPageProps) {
  const connection = useConnection();
  if (connection.remote) {
    return (
      <RemoteStart connection={connection} search={search}>
        <SearchShortcuts search={search} />
      </RemoteStart>
    );
  }
  if (!overview) return <ResultSkeleton />;
  const empty = Object.values(overview.counts).every((count) => count === 0);
  if (empty) return <FirstStart />;
  const { type } = search.state.form;
  return (
    <div className={styles.start}>
      <h2>{text.start.heading}</h2>
      <p>{text.start.hint}</p>
      <div className={styles.buttons}>
        {resourceTypes.map((resourceType) => (
          <Button
            key={resourceType}
            rightSection={
              <span className={styles.count}>{formatCount(overview.counts[resourceType] ?? 0)}</span>
            }
            onClick={() => search.submit({ ...emptyCriteria, type: resourceType })}
          >
            {text.start.all(resourceType)}
          </Button>
        ))}
      </div>
      <SearchShortcuts search={search} />
      {children ?? <QuickPicks subjects={overview.subjects} type={type} onSearch={search.submit} />}
    </div>
  );
}

const maxRecents = 6;

function SearchShortcuts({ search }: { readonly search: Search }) {
  const recent = useRecentSearches().slice(0, maxRecents);
  const savedSearches = useSavedSearches();
  if (recent.length + savedSearches.length === 0) return null;
  return (
    <div className={styles.keptColumns}>
      {recent.length > 0 && (
        <section>
          <h3>{text.start.recent}</h3>
          <RecentList searches={recent} onSearch={search.run} />
        </section>
      )}
      {savedSearches.length > 0 && (
        <section>
          <h3>{text.start.saved}</h3>
          <ul className={styles.kept}>
            {savedSearches.map((savedSearch) => (
              <li key={savedSearch.id}>
                <SavedButton search={savedSearch} onSearch={search.run} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
