import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Overview } from '../../../core/app/models.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { emptyCriteria, criteriaOf } from './criteria.ts';
import { FirstStart } from './first-start.tsx';
import { useRecentSearches, useSavedSearches } from './saved-searches.ts';
import { QuickPicks } from './quick-picks.tsx';
import { ResultSkeleton } from './result-skeleton.tsx';
import { SavedButton } from './saved-item.tsx';
import { RecentList } from './search-lists.tsx';
import styles from './search.module.css';
import type { Search } from './use-search.ts';
import { useQuery } from '@tanstack/react-query';
import { isEntered } from '../../../core/app/connections.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { summarize } from '../../../core/fhir/summary.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import frame from '../../ui/view.module.css';

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

const messages = text.connections.start;

interface RemoteStartProps {
  readonly connection: Connection;
  readonly search: Search;
  /** Saved searches of the connection. */
  readonly children: ReactNode;
}

/** Start page of a connection to another server: recent patients and lists that the server allows. */
function RemoteStart({ connection: { name, host, remote }, search, children }: RemoteStartProps) {
  const hasCredentials = remote !== undefined && isEntered(remote.access);
  return (
    <div className={styles.start}>
      <h2>{text.connections.startHeading(name)}</h2>
      <p>{text.connections.startHint(host)}</p>
      {children}
      <RecentPatients search={search} />
      {hasCredentials && resourceTypes.map((type) => <WholeType key={type} type={type} search={search} />)}
    </div>
  );
}

const maxPatients = 6;

/** Returns the patients of recent searches, latest first. */
function patientsOf(recent: readonly SearchQuery[]): readonly string[] {
  const patientIds = recent.map((query) => criteriaOf(query).patient).filter((patient) => patient !== '');
  return [...new Set(patientIds)].slice(0, maxPatients);
}

function RecentPatients({ search }: { readonly search: Search }) {
  const patients = patientsOf(useRecentSearches());
  if (patients.length === 0) return null;
  const { type } = search.state.form;
  return (
    <section className={styles.picks} aria-label={messages.patients}>
      <h3>{messages.patients}</h3>
      <ul className={frame.picks}>
        {patients.map((patient) => (
          <li key={patient}>
            <button type="button" onClick={() => search.submit({ ...emptyCriteria, type, patient })}>
              <span className="mono">{patient}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const maxChanged = 5;

/** Links to all records of a type and its latest changes, or the reason why the server rejects the list. */
function WholeType({ type, search }: { readonly type: ResourceType; readonly search: Search }) {
  const { client, name } = useConnection();
  const { openRecord } = useWorkbenchActions();
  const allRecords = useQuery({
    queryKey: ['start', name, type],
    queryFn: async () => (await client.search(type, [['_count', '1']])).records.length,
    staleTime: 60_000,
  });
  const changedRecords = useQuery({
    queryKey: ['start', name, type, 'changed'],
    enabled: (allRecords.data ?? 0) > 0,
    queryFn: async () => {
      const { records } = await client.search(type, [
        ['_sort', '-_lastUpdated'],
        ['_count', String(maxChanged)],
      ]);
      return records.slice(0, maxChanged).map(({ node }) => summarize(node));
    },
    staleTime: 60_000,
  });
  if (allRecords.isPending) return null;
  if (allRecords.isError) {
    return (
      <p className={styles.refused}>
        {messages.refused(type)} {toFailure(allRecords.error).sentences.join(' ')}
      </p>
    );
  }
  return (
    <>
      <div className={styles.buttons}>
        <Button onClick={() => search.submit({ ...emptyCriteria, type })}>{text.start.all(type)}</Button>
      </div>
      {changedRecords.data && changedRecords.data.length > 0 && (
        <section className={styles.picks} aria-label={messages.changed(type)}>
          <h3>{messages.changed(type)}</h3>
          <ul className={frame.picks}>
            {changedRecords.data.map(({ id, title, subjectName, lastUpdated }) => (
              <li key={id}>
                <button type="button" onClick={() => openRecord({ type, id, title })}>
                  <span>{[title, subjectName].filter((part) => part !== '').join(' · ')}</span>
                  <span className={styles.count}>
                    <RelativeTime instant={lastUpdated} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
