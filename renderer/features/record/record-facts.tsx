import { IconLock } from '@tabler/icons-react';
import { patientOf } from '../../../core/fhir/follow.ts';
import { isNewRecord } from '../../../core/fhir/new-record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { RecordSummary } from '../../../core/fhir/summary.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useDates } from '../../ui/date-language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import { formatDays } from '../../ui/time.ts';
import type { RecordHead } from './record-state.ts';
import styles from './record.module.css';
import { SaveTime } from './saved-by.tsx';

/** Number of characters at the end of the id that are never cut. */
const idEnd = 6;

/** Details of the record in one line: status, intent, subject, version, time and name. */
export function RecordDetails({ readOnly, ...head }: RecordHead & { readonly readOnly: boolean }) {
  useDates();
  const { base } = head;
  if (isNewRecord(head.id)) {
    return (
      <p className={styles.facts}>
        <span className="mono">{head.type}</span>
        <span>{text.record.unstored}</span>
      </p>
    );
  }
  const name = (
    <span className={`${styles.name} mono`}>
      <TruncatedText name={`${head.type}/${head.id}`} end={idEnd} />
    </span>
  );
  if (!base) {
    return (
      <p className={styles.facts}>
        <span>{text.record.loading}</span>
        {name}
      </p>
    );
  }
  const { status, intent, date, end } = base.summary;
  const period = formatDays(date, end);
  return (
    <p className={styles.facts}>
      {readOnly && (
        <strong className={styles.readOnly}>
          <IconLock size={14} aria-hidden /> {text.record.readOnly}
        </strong>
      )}
      {status !== '' && (
        <span>
          <StatusDot status={status} />
        </span>
      )}
      {intent !== '' && <span>{intent}</span>}
      {base.summary.subject !== '' && <Subject type={head.type} summary={base.summary} />}
      {period !== '' && <span>{period}</span>}
      {base.version !== undefined && <span>{text.record.version(base.version)}</span>}
      <SaveTime {...head} />
      {name}
    </p>
  );
}

interface SubjectProps {
  readonly type: ResourceType;
  readonly summary: RecordSummary;
}

/** Subject of the record. A patient is a link. */
function Subject({ type, summary }: SubjectProps) {
  const { openPatient } = useWorkbenchActions();
  const { subject, subjectName } = summary;
  const patient = patientOf(type, summary);
  const name = subjectName === '' ? subject : subjectName;
  if (!patient) return <span title={subject}>{name}</span>;
  return (
    <LinkButton title={text.reading.patient(subject)} onClick={() => openPatient(patient)}>
      {name}
    </LinkButton>
  );
}
