import { Button, Skeleton } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { NamedPatient } from '../../../core/app/session.ts';
import type { ResourceCard } from '../../../core/fhir/card/resource-card.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import { dayNow, Timeline } from '../../ui/timeline/timeline.tsx';
import { findingsOf, itemsOf } from './patient-items.ts';
import {
  readRecords,
  type OmittedRecords,
  type PatientRecords,
  type PatientRecord,
} from './patient-records.ts';
import styles from './patient.module.css';
import { withoutVersion } from '../../../core/fhir/origin.ts';
import { containedId } from '../../../core/fhir/names.ts';
import { useReferred } from '../../platform/referred.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { ResourceFacts, ResourceJson, type ReadResource } from '../../ui/resource-card.tsx';
import { useDates } from '../../ui/date-language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import table from '../../ui/table.module.css';
import { exactDays } from '../../ui/time.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';

interface RecordListProps {
  readonly records: readonly PatientRecord[];
  /** Opens the record `type/id`. */
  readonly onOpen: (key: string) => void;
}

/** Maximum number of records before all are requested. */
const maxListed = 200;

/** Records of a patient, latest first. */
export function RecordList({ records, onOpen }: RecordListProps) {
  useDates();
  const [showsAll, setShowsAll] = useState(false);
  const { title, type, status, when, findings } = messages.columns;
  const hasFindings = records.some((record) => findingsOf(record) !== '');
  return (
    <>
      <table className={table.table} aria-label={messages.records}>
        <TableHead columns={[title, type, status, when, ...(hasFindings ? [findings] : [])]} />
        <tbody>
          {records.slice(0, showsAll ? records.length : maxListed).map((record) => {
            const { time, issues } = record;
            const key = `${record.type}/${record.id}`;
            return (
              <tr key={key}>
                <th scope="row">
                  <LinkButton title={key} onClick={() => onOpen(key)}>
                    {record.title}
                  </LinkButton>
                </th>
                <td>{record.type}</td>
                <td>
                  <StatusChip status={record.status} />
                </td>
                <td title={time && exactDays(time.start, time.end === time.start ? '' : time.end)}>
                  {time && timeWords(time)}
                </td>
                {hasFindings && (
                  <td className={styles.findings} data-errors={(issues?.errors ?? 0) > 0 || undefined}>
                    {findingsOf(record)}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {!showsAll && records.length > maxListed && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          {messages.showAll(records.length)}
        </Button>
      )}
    </>
  );
}

const messages = text.patient;

interface PatientViewProps {
  readonly patient: NamedPatient;
  /** Loads nothing while the tab is inactive. */
  readonly isActive: boolean;
}

/** Page of a patient: details, all records on a timeline, and the same records as a list. */
export function PatientView({ patient, isActive }: PatientViewProps) {
  const { name: connection, client, remote } = useConnection();
  const { id } = patient;
  const query = useQuery({
    enabled: isActive,
    // Changes of records reload the overview, and this query with it.
    queryKey: ['overview', connection, 'patient', id],
    queryFn: () => readRecords(client, id, !remote),
    retry: false,
  });
  const person = usePerson(id, query.data, isActive);
  return (
    <section className={styles.view} aria-label={messages.region}>
      <Head patient={patient} answer={query.data} person={person.data?.card} />
      {query.data && <Person query={person} />}
      <QueryContent query={query} failureTitle={messages.failed}>
        {(answer) => (answer.records.length === 0 ? <NoRecords /> : <Records {...answer} id={id} />)}
      </QueryContent>
    </section>
  );
}

interface HeadProps {
  readonly patient: NamedPatient;
  readonly answer: PatientRecords | undefined;
  /** Card of the Patient resource. */
  readonly person: ResourceCard | undefined;
}

function Head({ patient, answer, person }: HeadProps) {
  const { id } = patient;
  const copy = useCopy();
  const recordNames = useMemo(
    () => [...new Set(answer?.records.map(({ subjectName }) => subjectName).filter(Boolean))],
    [answer],
  );
  const knownName = useNameOf(id) ?? recordNames[0] ?? patient.name;
  const ownName = person?.name ?? '';
  const name = ownName === '' ? knownName : ownName;
  const otherNames = recordNames.filter(
    (candidate) => candidate !== name && candidate !== person?.nameWithoutModifiers,
  );
  const forms = [...new Set(answer?.records.map(({ subject }) => subject))];
  return (
    <header className={styles.head}>
      <h2>
        <ModifiedName name={name || messages.unnamed} negation={person?.negation} />
      </h2>
      <p className={styles.facts}>
        <span className="mono">{id}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconCopy size={13} aria-hidden />}
          onClick={() => copy(id, messages.copied(id))}
        >
          {messages.copyId}
        </Button>
        {otherNames.length > 0 && <span>{messages.alsoCalled(otherNames)}</span>}
        {forms.length > 0 && (
          <span>
            {messages.referredTo} <span className="mono">{forms.slice(0, maxForms).join(' · ')}</span>
          </span>
        )}
      </p>
    </header>
  );
}

/** Maximum number of visible reference forms. */
const maxForms = 4;

function Records({ records, beyond, id }: PatientRecords & { readonly id: string }) {
  const { openRecord } = useWorkbenchActions();
  const items = useMemo(() => itemsOf(records), [records]);
  const open = (key: string) => {
    const match = records.find((record) => `${record.type}/${record.id}` === key);
    if (match) openRecord({ type: match.type, id: match.id, title: match.title });
  };
  const untimedCount = records.length - items.length;
  return (
    <>
      <Timeline items={items} today={dayNow()} onOpen={open} note={describeRecords(records)}>
        {untimedCount > 0 && <p className="dim">{messages.untimed(untimedCount)}</p>}
      </Timeline>
      {beyond.map((excludedType) => (
        <RemainingRecords key={excludedType.type} beyond={excludedType} id={id} />
      ))}
      <RecordList records={records} onOpen={open} />
    </>
  );
}

/** Describes the number of records per type, and of records with issues. */
function describeRecords(records: PatientRecords['records']): string {
  const counts = resourceTypes.map((type) => {
    const count = records.filter((record) => record.type === type).length;
    return count === 0 ? '' : text.types.count(type, count);
  });
  const hasIssueCounts = records.some(({ issues }) => issues);
  const flaggedCount = records.filter((record) => findingsOf(record) !== '').length;
  return [
    ...counts,
    hasIssueCounts && (flaggedCount > 0 ? messages.withFindings(flaggedCount) : messages.noFindings),
  ]
    .filter(Boolean)
    .join(' · ');
}

function RemainingRecords({
  beyond: { type, visibleCount, total },
  id,
}: {
  readonly beyond: OmittedRecords;
  readonly id: string;
}) {
  const { search } = useWorkbenchActions();
  return (
    <p className={styles.more}>
      {total === undefined
        ? messages.boundedAtLeast(type, visibleCount)
        : messages.bounded(type, visibleCount, total)}
      <Button size="compact-xs" variant="subtle" onClick={() => search([['subject', id]], type)}>
        {messages.searchAll(type)}
      </Button>
    </p>
  );
}

function NoRecords() {
  const runCommand = useRunCommand();
  return (
    <div className={styles.nothing}>
      <h3>{messages.empty}</h3>
      <p>{messages.emptyHint}</p>
      <Button onClick={() => runCommand('record.new')}>{text.patient.newRecord}</Button>
    </div>
  );
}

const personMessages = text.patient.person;

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
  if (query.isError) return <RequestFailure title={personMessages.failed} query={query} />;
  return (
    <section className={styles.person} aria-label={personMessages.region} aria-busy={query.isPending}>
      {query.isPending && <Skeleton height={12} width={360} my={4} />}
      {query.data === null && (
        <p className="dim">{remote ? personMessages.absentThere(remote.name) : personMessages.absent}</p>
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
