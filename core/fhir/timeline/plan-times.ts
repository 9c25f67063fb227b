import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from '../card/activity.ts';
import { containedOf } from '../card/contained.ts';
import { below, conceptText, each, textAt, type Place } from '../card/parts.ts';
import { firstName } from '../names.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { summarise } from '../summary.ts';
import { outsideOf, periodDays, type DaySpan, type Outside } from './days.ts';

/** A time as it is written; blank ends are open. */
export interface WrittenTime {
  readonly start: string;
  readonly end: string;
  /** Undefined where it has no days that could be drawn. */
  readonly span: DaySpan | undefined;
}

/** What a plan says of the time of one of its parts. */
export interface PlanPart {
  /** JSON Pointer (RFC 6901) of where it stands. */
  readonly pointer: string;
  /** With what negates it; blank where the record says neither. */
  readonly title: string;
  /** The words at the head of the title that negate it; absent where none do. */
  readonly before?: string;
  readonly status: string;
  /** The literal reference to what describes it elsewhere; absent where there is none. */
  readonly reference?: string;
  readonly times: readonly WrittenTime[];
  /** A schedule in words; blank where there is none. */
  readonly words: string;
  readonly outside?: Outside;
}

export interface PlanTimes {
  readonly plan: PlanPart;
  readonly activities: readonly PlanPart[];
}

/** Days of one schedule that are drawn: a timing may name thousands. */
const mostEvents = 200;

/** When a CarePlan and its activities take place (FHIR R4 careplan-definitions.html); `today` is YYYY-MM-DD. */
export function planTimes(record: JsonNode, today: string): PlanTimes {
  const root: Place = { node: record, pointer: '' };
  const { title, status } = summarise(record);
  const period = below(root, 'period');
  const times = periodTimes(period);
  const plan = { pointer: period.pointer, title, status, times, words: '' };
  const within = times[0]?.span;
  const contained = containedOf(root);
  const part = (one: Place) => partAt(one, activityAt(one, contained, today), within);
  return { plan, activities: each(below(root, 'activity')).map(part) };
}

function partAt(
  place: Place,
  { title, before, status, reference, pointer }: CardActivity,
  within: DaySpan | undefined,
): PlanPart {
  const detail = below(place, 'detail');
  const timing = below(detail, 'scheduledTiming');
  const events = each(below(timing, 'event')).slice(0, mostEvents).map(textAt).filter(Boolean);
  const times = [
    ...periodTimes(below(detail, 'scheduledPeriod')),
    ...periodTimes(below(timing, 'repeat', 'boundsPeriod')),
    ...events.map((event) => ({ start: event, end: event, span: periodDays(event, event) })),
  ];
  const outside = within && worstOf(times.map(({ span }) => span && outsideOf(span, within)));
  return {
    ...{ pointer, title, status, times },
    ...(before !== undefined && { before }),
    ...(reference && { reference: reference.reference }),
    words: textAt(below(detail, 'scheduledString')) || conceptText(below(timing, 'code')),
    ...(outside && { outside }),
  };
}

function worstOf(all: readonly (Outside | undefined)[]): Outside | undefined {
  if (all.length > 0 && all.every((one) => one === 'wholly')) return 'wholly';
  return all.some(Boolean) ? 'partly' : undefined;
}

/** A Period as a time; none where it states neither end. */
function periodTimes(place: Place): readonly WrittenTime[] {
  const [start, end] = [textAt(below(place, 'start')), textAt(below(place, 'end'))];
  return start === '' && end === '' ? [] : [{ start, end, span: periodDays(start, end) }];
}

/** When a record as a whole takes place: its period, else its first date; undefined where it states none. */
export function recordTime(record: JsonNode): WrittenTime | undefined {
  const root: Place = { node: record, pointer: '' };
  const type = textAt(below(root, 'resourceType'));
  if (!isResourceType(type)) return undefined;
  const { date, end } = definitionOf(type).summary;
  const period = end?.slice(0, end.lastIndexOf('.'));
  const [time] = period === undefined ? [] : periodTimes(below(root, ...period.split('.')));
  if (time) return time;
  const day = firstName(record, date);
  return day === '' ? undefined : { start: day, end: day, span: periodDays(day, day) };
}
