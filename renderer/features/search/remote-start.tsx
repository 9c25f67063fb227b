import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isEntered } from '../../../core/app/connections.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { summarise } from '../../../core/fhir/summary.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { criteriaOf, emptyCriteria } from './criteria.ts';
import { useRecentSearches } from './kept-searches.ts';
import styles from './search.module.css';
import type { Search } from './use-search.ts';

const words = text.connections.start;

interface RemoteStartProps {
  readonly connection: Connection;
  readonly search: Search;
  /** The searches that are kept of it. */
  readonly children: ReactNode;
}

/** Where work on another server begins: whom it was about lately, and what the server lets be listed. */
export function RemoteStart({ connection: { name, host, remote }, search, children }: RemoteStartProps) {
  const entered = remote !== undefined && isEntered(remote.access);
  return (
    <div className={styles.start}>
      <h2>{text.connections.startHeading(name)}</h2>
      <p>{text.connections.startHint(host)}</p>
      {children}
      <RecentPatients search={search} />
      {entered && resourceTypes.map((type) => <WholeType key={type} type={type} search={search} />)}
    </div>
  );
}

const shownPatients = 6;

/** Each patient that a recent search named, newest first. */
function patientsOf(recent: readonly SearchQuery[]): readonly string[] {
  const named = recent.map((query) => criteriaOf(query).patient).filter((patient) => patient !== '');
  return [...new Set(named)].slice(0, shownPatients);
}

function RecentPatients({ search }: { readonly search: Search }) {
  const patients = patientsOf(useRecentSearches());
  if (patients.length === 0) return null;
  const { type } = search.state.form;
  return (
    <section className={styles.picks} aria-label={words.patients}>
      <h3>{words.patients}</h3>
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

const shownChanged = 5;

/** All records of a type, and those that changed last, where the server lists them; else why it does not. */
function WholeType({ type, search }: { readonly type: ResourceType; readonly search: Search }) {
  const { client, name } = useConnection();
  const { openRecord } = useWorkbenchActions();
  const { plural } = definitionOf(type);
  const whole = useQuery({
    queryKey: ['start', name, type],
    queryFn: async () => (await client.search(type, [['_count', '1']])).records.length,
    staleTime: 60_000,
  });
  const changed = useQuery({
    queryKey: ['start', name, type, 'changed'],
    enabled: (whole.data ?? 0) > 0,
    queryFn: async () => {
      const { records } = await client.search(type, [
        ['_sort', '-_lastUpdated'],
        ['_count', String(shownChanged)],
      ]);
      return records.slice(0, shownChanged).map(({ node }) => summarise(node));
    },
    staleTime: 60_000,
  });
  if (whole.isPending) return null;
  if (whole.isError) {
    return (
      <p className={styles.refused}>
        {words.refused(plural)} {toFailure(whole.error).sentences.join(' ')}
      </p>
    );
  }
  return (
    <>
      <div className={styles.buttons}>
        <Button onClick={() => search.submit({ ...emptyCriteria, type })}>{text.start.all(plural)}</Button>
      </div>
      {changed.data && changed.data.length > 0 && (
        <section className={styles.picks} aria-label={words.changed(plural)}>
          <h3>{words.changed(plural)}</h3>
          <ul className={frame.picks}>
            {changed.data.map(({ id, title, subjectName, lastUpdated }) => (
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
