import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { withoutVersion } from '../../../core/fhir/supporting-resource.ts';
import { containedId } from '../../../core/fhir/names.ts';
import { useConnection } from '../../platform/connection.ts';
import { useReferred } from '../../platform/referred.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { ResourceFacts, ResourceJson, type ReadResource } from '../../ui/resource-card.tsx';
import { text } from '../../ui/text.ts';
import type { PatientRecords } from './patient-records.ts';
import styles from './patient.module.css';

const messages = text.patient.person;

/** Types that a record may be about and that have a page. */
const types = ['Patient', 'Group'];

/** Maximum number of reference forms to try. */
const maxTried = 6;

/** Loads the Patient resource by one of the references in the records. */
export function usePerson(
  id: string,
  answer: PatientRecords | undefined,
  isActive: boolean,
): UseQueryResult<ReadResource | null> {
  const subjectReferences = (answer?.records ?? [])
    .map(({ subject }) => subject)
    .filter((reference) => containedId(reference) === undefined)
    .map(withoutVersion);
  const candidates = [...new Set([...subjectReferences, `Patient/${id}`])].slice(0, maxTried);
  return useReferred(candidates, { types, enabled: isActive && answer !== undefined });
}

/** Details of the patient: birth, death, address and identifiers. */
export function Person({ query }: { readonly query: UseQueryResult<ReadResource | null> }) {
  const { remote } = useConnection();
  if (query.isError) return <RequestFailure title={messages.failed} query={query} />;
  return (
    <section className={styles.person} aria-label={messages.region} aria-busy={query.isPending}>
      {query.isPending && <Skeleton height={12} width={360} my={4} />}
      {query.data === null && (
        <p className="dim">{remote ? messages.absentThere(remote.name) : messages.absent}</p>
      )}
      {query.data && (
        <>
          <ResourceFacts inline facts={query.data.card.facts.filter(({ kind }) => kind !== 'id')} />
          <ResourceJson json={query.data.json} />
        </>
      )}
    </section>
  );
}
