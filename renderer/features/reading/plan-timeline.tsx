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

const words = text.timeline;

export interface PlanTimelineProps {
  readonly times: PlanTimes;
  /** Brings an element into sight. */
  readonly onWant: (pointer: string) => void;
}

/** Activities without a time that are named beneath the bars: the table below has all. */
const mostUntimed = 8;

/** The period of a plan as a bar, its activities at the times that they state, the others named below. */
export const PlanTimeline = memo(function PlanTimeline({ times, onWant }: PlanTimelineProps) {
  const { plan, activities } = times;
  const today = dayNow();
  const named = useMemo(
    () =>
      activities.map((part, at) => ({
        ...part,
        written: part.title,
        title: part.title || text.reading.activityAt(at + 1),
      })),
    [activities],
  );
  const items = useMemo(
    () => [{ ...plan, title: words.plan }, ...named].map(itemOf).filter(({ spans }) => spans.length > 0),
    [plan, named],
  );
  const untimed = named.filter((part) => spansOf(part).length === 0);
  const [period] = plan.times;
  return (
    <Timeline
      items={items}
      frame={plan.pointer}
      today={today}
      onOpen={onWant}
      note={period?.span && lengthOf(period.span, today)}
    >
      {!period?.span && (
        <p className={styles.none}>{period ? words.unreadPeriod(timeWords(period)) : words.noPeriod}</p>
      )}
      {untimed.length > 0 && (
        <div className={styles.untimed}>
          <span>{words.untimed(untimed.length)}</span>
          <ul>
            {untimed.slice(0, mostUntimed).map((part) => (
              <li key={part.pointer}>
                <LinkButton onClick={() => onWant(part.pointer)}>
                  <ReferredName
                    title={part.written}
                    before={part.before}
                    reference={part.reference ?? ''}
                    fallback={part.title}
                  />
                </LinkButton>{' '}
                <StatusDot status={part.status} negated={part.before !== undefined} /> {writtenOf(part)}
              </li>
            ))}
          </ul>
          {untimed.length > mostUntimed && <span>{words.moreBelow(untimed.length - mostUntimed)}</span>}
        </div>
      )}
    </Timeline>
  );
});

function itemOf(part: PlanPart): TimelineItem {
  const { pointer, title, before, status, outside } = part;
  return {
    ...{ key: pointer, label: title, status, lane: '' },
    negated: before !== undefined,
    spans: spansOf(part),
    when: writtenOf(part),
    warning: outside ? words.outside[outside] : '',
  };
}

function spansOf({ times }: PlanPart): readonly DaySpan[] {
  return times.flatMap(({ span }) => span ?? []);
}

/** All that is said of the time, as it is written. */
function writtenOf({ times, words: schedule }: PlanPart): string {
  const [first] = times;
  const days = first ? timeWords(first) : '';
  return [times.length > 1 ? words.several(days, times.length) : days, schedule].filter(Boolean).join(', ');
}

/** How long the plan takes, or how far it is, where its days are certain. */
function lengthOf({ start, end }: DaySpan, today: number): string {
  const first = start?.first === start?.last ? start?.first : undefined;
  const last = end?.first === end?.last ? end?.last : undefined;
  if (first === undefined) return '';
  if (first > today) return words.begins(words.days(first - today));
  if (last === undefined) return end ? '' : words.since(words.days(today - first + 1));
  const length = last - first + 1;
  if (last >= today) return words.day(today - first + 1, length);
  return `${words.days(length)}, ${words.ended(words.days(today - last))}`;
}
