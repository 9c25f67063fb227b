import { memo, useMemo } from 'react';
import type { DaySpan } from '../../../core/fhir/timeline/days.ts';
import type { PlanPart, PlanTimes } from '../../../core/fhir/timeline/plan-times.ts';
import { ReferredName } from '../../platform/referred-name.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import type { TimelineItem } from '../../ui/timeline/layout.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import { dayNow, Timeline } from '../../ui/timeline/timeline.tsx';
import styles from './reading.module.css';

const messages = text.timeline;

export interface PlanTimelineProps {
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
