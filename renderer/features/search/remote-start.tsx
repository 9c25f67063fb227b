import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isEntered } from '../../../core/app/connections.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { summarize } from '../../../core/fhir/summary.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { criteriaOf, emptyCriteria } from './criteria.ts';
import { useRecentSearches } from './saved-searches.ts';
import styles from './search.module.css';
import type { Search } from './use-search.ts';

const messages = text.connections.start;

interface RemoteStartProps {
  readonly connection: Connection;
  readonly search: Search;
  /** Saved searches of the connection. */
  readonly children: ReactNode;
}

/** Start page of a connection to another server: recent patients and lists that the server allows. */
export function RemoteStart({ connection: { name, host, remote }, search, children }: RemoteStartProps) {
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
