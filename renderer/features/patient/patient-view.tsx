import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NamedPatient } from '../../../core/app/session.ts';
import type { ResourceCard } from '../../../core/fhir/card/resource-card.ts';
import { definitionOf, resourceTypes } from '../../../core/fhir/resource.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useNameOf } from '../../platform/subject-names.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { Answered } from '../../ui/answered.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { text } from '../../ui/text.ts';
import { useCopy } from '../../ui/use-copy.ts';
import { dayNow, Timeline } from '../../ui/timeline/timeline.tsx';
import { Person, usePerson } from './patient-person.tsx';
import { findingsOf, itemsOf } from './patient-items.ts';
import { readRecords, type Beyond, type PatientRecords } from './patient-records.ts';
import styles from './patient.module.css';
import { RecordList } from './record-list.tsx';

const words = text.patient;

interface PatientViewProps {
  readonly patient: NamedPatient;
  /** Behind another tab it reads nothing. */
  readonly front: boolean;
}

/** Whom records are about: who it is, all plans and documents over time, and the same as a list. */
export function PatientView({ patient, front }: PatientViewProps) {
  const { name: connection, client, remote } = useConnection();
  const { id } = patient;
  const query = useQuery({
    enabled: front,
    // What changes records reads the overview anew, and this with it.
    queryKey: ['overview', connection, 'patient', id],
    queryFn: () => readRecords(client, id, !remote),
    retry: false,
  });
  const person = usePerson(id, query.data, front);
  return (
    <section className={styles.view} aria-label={words.region}>
      <Head patient={patient} answer={query.data} person={person.data?.card} />
      {query.data && <Person query={person} />}
      <Answered query={query} failed={words.failed}>
        {(answer) => (answer.records.length === 0 ? <Nothing /> : <Records {...answer} id={id} />)}
      </Answered>
    </section>
  );
}

interface HeadProps {
  readonly patient: NamedPatient;
  readonly answer: PatientRecords | undefined;
  /** The name that the person's own record gives. */
  readonly person: ResourceCard | undefined;
}

function Head({ patient, answer, person }: HeadProps) {
  const { id } = patient;
  const copy = useCopy();
  const called = useMemo(
    () => [...new Set(answer?.records.map(({ subjectName }) => subjectName).filter(Boolean))],
    [answer],
  );
  const told = useNameOf(id) ?? called[0] ?? patient.name;
  const own = person?.name ?? '';
  const name = own === '' ? told : own;
  const others = called.filter((one) => one !== name && one !== person?.bareName);
  const forms = [...new Set(answer?.records.map(({ subject }) => subject))];
  return (
    <header className={styles.head}>
      <h2>
        <ModifiedName name={name || words.unnamed} before={person?.before} />
      </h2>
      <p className={styles.facts}>
        <span className="mono">{id}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconCopy size={13} aria-hidden />}
          onClick={() => copy(id, words.copied(id))}
        >
          {words.copyId}
        </Button>
        {others.length > 0 && <span>{`${words.alsoCalled} ${others.join(', ')}`}</span>}
        {forms.length > 0 && (
          <span>
            {words.referredTo} <span className="mono">{forms.slice(0, mostForms).join(' · ')}</span>
          </span>
        )}
      </p>
    </header>
  );
}

/** Forms of the reference that are told. */
const mostForms = 4;

function Records({ records, beyond, id }: PatientRecords & { readonly id: string }) {
  const { openRecord } = useWorkbenchActions();
  const items = useMemo(() => itemsOf(records), [records]);
  const open = (key: string) => {
    const found = records.find((one) => `${one.type}/${one.id}` === key);
    if (found) openRecord({ type: found.type, id: found.id, title: found.title });
  };
  const untimed = records.length - items.length;
  return (
    <>
      <Timeline items={items} today={dayNow()} onOpen={open} note={noteOf(records)}>
        {untimed > 0 && <p className="dim">{words.untimed(untimed)}</p>}
      </Timeline>
      {beyond.map((one) => (
        <More key={one.type} beyond={one} id={id} />
      ))}
      <RecordList records={records} onOpen={open} />
    </>
  );
}

/** How many there are of each type, and how many to look at. */
function noteOf(records: PatientRecords['records']): string {
  const counts = resourceTypes.map((type) => {
    const count = records.filter((one) => one.type === type).length;
    if (count === 0) return '';
    return count === 1 ? countOf(1, type) : `${formatCount(count)} ${definitionOf(type).plural}`;
  });
  const judged = records.some(({ issues }) => issues);
  const marked = records.filter((one) => findingsOf(one) !== '').length;
  return [...counts, judged && (marked > 0 ? words.withFindings(marked) : words.noFindings)]
    .filter(Boolean)
    .join(' · ');
}

function More({ beyond: { type, shown, total }, id }: { readonly beyond: Beyond; readonly id: string }) {
  const { search } = useWorkbenchActions();
  const { plural } = definitionOf(type);
  return (
    <p className={styles.more}>
      {total === undefined ? words.boundedAtLeast(shown, plural) : words.bounded(shown, total, plural)}
      <Button size="compact-xs" variant="subtle" onClick={() => search([['subject', id]], type)}>
        {words.searchAll(plural)}
      </Button>
    </p>
  );
}

function Nothing() {
  const runCommand = useRunCommand();
  return (
    <div className={styles.nothing}>
      <h3>{words.empty}</h3>
      <p>{words.emptyHint}</p>
      <Button onClick={() => runCommand('record.new')}>{text.patient.newRecord}</Button>
    </div>
  );
}
