import type { ActivityReading } from '../../../core/fhir/reading/activity.ts';
import { useDates } from '../../ui/date-language.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, formatDays } from '../../ui/time.ts';
import { FindingMarks } from './marks.tsx';
import { NoteList } from './note-list.tsx';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';

/** Table of the activities, with and without a time. */
export function ActivityTable({ activities }: { readonly activities: readonly ActivityReading[] }) {
  useDates();
  return (
    <table className={styles.activities}>
      <TableHead
        columns={[text.reading.activity, text.reading.when, text.reading.who, text.reading.status]}
      />
      <tbody>
        {activities.map((activity, index) => (
          <ActivityRow key={activity.pointer} activity={activity} index={index} />
        ))}
      </tbody>
    </table>
  );
}

function ActivityRow({ activity, index }: { readonly activity: ActivityReading; readonly index: number }) {
  const { title, negation, description, reference, amounts, reasons, outcomes, location, progress } =
    activity;
  const { performers, status, outside, pointer } = activity;
  return (
    <tr data-pointer={pointer} data-outside={outside}>
      <th scope="row">
        <FindingMarks pointer={pointer} />
        {reference ? (
          // The name of the activity also names its modifiers.
          <ReferenceText
            reference={{ ...reference, display: title, ...(negation !== undefined && { negation }) }}
          />
        ) : (
          <ModifiedName name={title || text.reading.activityAt(index + 1)} negation={negation} />
        )}
        <div className={styles.more}>
          {[description, ...amounts, location && text.reading.location(location)]
            .filter(Boolean)
            .map((detail) => (
              <div key={detail}>{detail}</div>
            ))}
          {reasons.length > 0 && (
            <div>
              <MessageNodes
                message={text.reading.reasons}
                nodes={{ references: <References references={reasons} /> }}
              />
            </div>
          )}
          {outcomes.length > 0 && (
            <div>
              <MessageNodes
                message={text.reading.outcomes}
                nodes={{ references: <References references={outcomes} /> }}
              />
            </div>
          )}
          <NoteList notes={progress} />
        </div>
      </th>
      <td>
        <When activity={activity} />{' '}
        {outside && <span className={styles.chip}>{text.timeline.outside[outside]}</span>}
      </td>
      <td>
        <References references={performers} />
      </td>
      <td>
        <StatusChip status={status} negated={negation !== undefined} />
      </td>
    </tr>
  );
}

function When({ activity: { start, end, schedule } }: { readonly activity: ActivityReading }) {
  if (start === '' && end === '' && schedule === '') {
    return <span className={styles.missing}>{text.reading.noTime}</span>;
  }
  const days = start === '' ? end && text.timeline.until(formatDays(end)) : formatDays(start, end);
  return (
    <>
      {days !== '' && <span title={exactDays(start, end)}>{days}</span>}
      {schedule !== '' && <div>{schedule}</div>}
    </>
  );
}
