import { memo, useMemo, type ReactNode } from 'react';
import type { CardReference } from '../../../core/fhir/card/parts.ts';
import type { GoalReading, ReadablePlan } from '../../../core/fhir/reading/plan.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { FindingMarks } from './marks.tsx';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';
import type { ActivityReading } from '../../../core/fhir/reading/activity.ts';
import { useDates } from '../../ui/date-language.ts';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { exactDays, formatDays } from '../../ui/time.ts';
import { NoteList } from './note-list.tsx';
import type { DaySpan } from '../../../core/fhir/timeline/days.ts';
import type { PlanPart, PlanTimes } from '../../../core/fhir/timeline/plan-times.ts';
import { LiteralName } from '../../platform/literal-name.tsx';
import { ReferredName } from '../../platform/referred-name.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import type { TimelineItem } from '../../ui/timeline/layout.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { dayNow, Timeline } from '../../ui/timeline/timeline.tsx';

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
          {[description, ...amounts].filter(Boolean).map((detail) => (
            <div key={detail}>{detail}</div>
          ))}
          {location !== '' && (
            <div>
              <MessageNodes
                message={text.reading.location}
                nodes={{ name: <LiteralName words={location} /> }}
              />
            </div>
          )}
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

const messages = text.timeline;

interface PlanTimelineProps {
  readonly times: PlanTimes;
  /** Scrolls an element into view. */
  readonly onWant: (pointer: string) => void;
}

/** Maximum number of activities without a time below the bars. The table below has all of them. */
const maxUntimed = 8;

/** The period of a plan as a bar, activities at their times, and a list of activities without a time. */
export const PlanTimeline = memo(function PlanTimeline({ times, onWant }: PlanTimelineProps) {
  const { plan, activities } = times;
  const today = dayNow();
  const namedActivities = useMemo(
    () =>
      activities.map((part, index) => ({
        ...part,
        written: part.title,
        title: part.title || text.reading.activityAt(index + 1),
      })),
    [activities],
  );
  const items = useMemo(
    () =>
      [{ ...plan, title: messages.plan }, ...namedActivities]
        .map(toTimelineItem)
        .filter(({ spans }) => spans.length > 0),
    [plan, namedActivities],
  );
  const untimed = namedActivities.filter((part) => listSpans(part).length === 0);
  const [period] = plan.times;
  return (
    <Timeline
      items={items}
      frame={plan.pointer}
      today={today}
      onOpen={onWant}
      note={period?.span && describeLength(period.span, today)}
    >
      {!period?.span && (
        <p className={styles.none}>{period ? messages.unreadPeriod(timeWords(period)) : messages.noPeriod}</p>
      )}
      {untimed.length > 0 && (
        <div className={styles.untimed}>
          <span>{messages.untimed(untimed.length)}</span>
          <ul>
            {untimed.slice(0, maxUntimed).map((part) => (
              <li key={part.pointer}>
                <LinkButton onClick={() => onWant(part.pointer)}>
                  <ReferredName
                    title={part.written}
                    negation={part.negation}
                    reference={part.reference ?? ''}
                    fallback={part.title}
                  />
                </LinkButton>{' '}
                <StatusDot status={part.status} negated={part.negation !== undefined} /> {formatTimes(part)}
              </li>
            ))}
          </ul>
          {untimed.length > maxUntimed && <span>{messages.moreBelow(untimed.length - maxUntimed)}</span>}
        </div>
      )}
    </Timeline>
  );
});

function toTimelineItem(part: PlanPart): TimelineItem {
  const { pointer, title, negation, status, outside } = part;
  return {
    key: pointer,
    label: title,
    status,
    lane: '',
    negated: negation !== undefined,
    spans: listSpans(part),
    when: formatTimes(part),
    warning: outside ? messages.outside[outside] : '',
  };
}

function listSpans({ times }: PlanPart): readonly DaySpan[] {
  return times.flatMap(({ span }) => span ?? []);
}

/** Formats all times as written. */
function formatTimes({ times, schedule }: PlanPart): string {
  const [firstTime] = times;
  const days = firstTime ? timeWords(firstTime) : '';
  return [times.length > 1 ? messages.several(days, times.length) : days, schedule]
    .filter(Boolean)
    .join(', ');
}

/** Describes the length or progress of the plan, if its days are certain. */
function describeLength({ start, end }: DaySpan, today: number): string {
  const firstDay = start?.firstDay === start?.lastDay ? start?.firstDay : undefined;
  const lastDay = end?.firstDay === end?.lastDay ? end?.lastDay : undefined;
  if (firstDay === undefined) return '';
  if (firstDay > today) return messages.begins(messages.days(firstDay - today));
  if (lastDay === undefined) return end ? '' : messages.since(messages.days(today - firstDay + 1));
  const length = lastDay - firstDay + 1;
  if (lastDay >= today) return messages.day(today - firstDay + 1, length);
  return messages.ended(messages.days(length), messages.days(today - lastDay));
}
