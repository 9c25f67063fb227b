import { stringMember } from '../../../core/json/node.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { formatPeriod } from '../../ui/format.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import type { RecordState } from './record-state.ts';
import styles from './record.module.css';

/** The record's facts in one line: status, intent, subject, version, time. */
export function RecordFacts({ state }: { readonly state: RecordState }) {
  const { base, type } = state;
  if (!base) return <p className={styles.facts}>{text.record.loading}</p>;
  const { status, subject, subjectName, date, end, lastUpdated } = base.summary;
  const intent = type === 'CarePlan' ? (stringMember(base.root, 'intent') ?? '') : '';
  const period = formatPeriod(date, end);
  return (
    <p className={styles.facts}>
      {status !== '' && (
        <span>
          <StatusDot status={status} />
        </span>
      )}
      {intent !== '' && <span>{intent}</span>}
      {subject !== '' && <span title={subject}>{subjectName === '' ? subject : subjectName}</span>}
      {period !== '' && <span>{period}</span>}
      {base.version !== undefined && <span>{text.record.version(base.version)}</span>}
      {lastUpdated !== '' && (
        <span>
          <RelativeTime instant={lastUpdated} />
        </span>
      )}
    </p>
  );
}
