import type { ReactNode } from 'react';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import type { GoalReading, ReadablePlan } from '../../../core/fhir/reading/plan.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { FindingMarks } from './marks.tsx';
import { PlanTimeline, type PlanTimelineProps } from './plan-timeline.tsx';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';
import type { ActivityReading } from '../../../core/fhir/reading/activity.ts';
import { useDates } from '../../ui/date-language.ts';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { exactDays, formatDays } from '../../ui/time.ts';
import { NoteList } from './note-list.tsx';

interface PlanPartsProps extends Pick<PlanTimelineProps, 'onWant'> {
  readonly plan: ReadablePlan;
}

/** Parts of a plan below its header: times, goals, activities, conditions and team. */
export function PlanParts({ plan, onWant }: PlanPartsProps) {
  const { times, activities, goals, addresses, team } = plan;
  return (
    <>
      <PlanTimeline times={times} onWant={onWant} />
      {goals.length > 0 && (
        <Part title={text.reading.goals}>
          <ul className={styles.goals}>
            {goals.map((goal) => (
              <Goal key={goal.goal.pointer} {...goal} />
            ))}
          </ul>
        </Part>
      )}
      <Part title={text.reading.activities(activities.length)}>
        {activities.length === 0 ? (
          <p className={styles.none}>{text.reading.noActivities}</p>
        ) : (
          <ActivityTable activities={activities} />
        )}
      </Part>
      <ReferencePart title={text.reading.conditions} list={addresses} />
      <ReferencePart title={text.reading.team} list={team} />
    </>
  );
}

/** A section of the record with a heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function ReferencePart({ title, list }: { readonly title: string; readonly list: readonly CardReference[] }) {
  if (list.length === 0) return null;
  return (
    <Part title={title}>
      <ul className={styles.chips}>
        {list.map((reference) => (
          <li key={reference.pointer} data-pointer={reference.pointer}>
            <FindingMarks pointer={reference.pointer} />
            <ReferenceText reference={reference} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Goal({ goal, status, addresses, served }: GoalReading) {
  return (
    <li data-pointer={goal.pointer}>
      <FindingMarks pointer={goal.pointer} />
      <div>
        <strong>
          <ReferenceText reference={goal} />
        </strong>
        {addresses.length > 0 && (
          <span className={styles.aside}>
            <MessageNodes
              message={text.reading.addresses}
              nodes={{ references: <References references={addresses} /> }}
            />
          </span>
        )}
        {served.length > 0 ? (
          <div>{served.map((title) => title || text.reading.activity).join(' · ')}</div>
        ) : (
          <div className={styles.warn}>{text.reading.unserved}</div>
        )}
      </div>
      <span className={styles.end}>
        <StatusChip status={status} />
      </span>
    </li>
  );
}

/** Table of the activities, with and without a time. */
function ActivityTable({ activities }: { readonly activities: readonly ActivityReading[] }) {
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
