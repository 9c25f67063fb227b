import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { withoutVersion } from '../../../core/fhir/companion.ts';
import { containedId } from '../../../core/fhir/names.ts';
import { useConnection } from '../../platform/connection.ts';
import { useReferred } from '../../platform/referred.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { ResourceFacts, ResourceJson, type ReadResource } from '../../ui/resource-card.tsx';
import { text } from '../../ui/text.ts';
import type { PatientRecords } from './patient-records.ts';
import styles from './patient.module.css';

const words = text.patient.person;

/** What a record may be about and has a page of its own. */
const types = ['Patient', 'Group'];

/** Forms of the reference that are tried. */
const mostTried = 6;

/** The patient's own record, where it is at hand under one of the references by which the records name it. */
export function usePerson(
  id: string,
  answer: PatientRecords | undefined,
  front: boolean,
): UseQueryResult<ReadResource | null> {
  const named = (answer?.records ?? [])
    .map(({ subject }) => subject)
    .filter((one) => containedId(one) === undefined)
    .map(withoutVersion);
  const tried = [...new Set([...named, `Patient/${id}`])].slice(0, mostTried);
  return useReferred(tried, { types, enabled: front && answer !== undefined });
}

/** Who the patient is: born, gone, living where, under which numbers. */
export function Person({ query }: { readonly query: UseQueryResult<ReadResource | null> }) {
  const { remote } = useConnection();
  if (query.isError) return <RequestFailure title={words.failed} of={query} />;
  return (
    <section className={styles.person} aria-label={words.region} aria-busy={query.isPending}>
      {query.isPending && <Skeleton height={12} width={360} my={4} />}
      {query.data === null && <p className="dim">{remote ? words.absentThere(remote.name) : words.absent}</p>}
      {query.data && (
        <>
          <ResourceFacts inline facts={query.data.card.facts.filter(({ kind }) => kind !== 'id')} />
          <ResourceJson json={query.data.json} />
        </>
      )}
    </section>
  );
}
