import type { JsonNode } from '../../json/node.ts';
import { activityAt, type CardActivity } from '../card/activity.ts';
import { containedOf } from '../card/contained.ts';
import { getChild, conceptText, listItems, textAt, type NodeAtPointer } from '../card/parts.ts';
import { firstName } from '../names.ts';
import { definitionOf, isResourceType } from '../resource.ts';
import { summarize } from '../summary.ts';
import { outsideOf, periodDays, type DaySpan, type OutsideExtent } from './days.ts';

/** A time as written. An empty end is open. */
export interface WrittenTime {
  readonly start: string;
  readonly end: string;
  /** Undefined if the time has no days for the chart. */
  readonly span: DaySpan | undefined;
}

export interface PlanPart {
  /** JSON Pointer (RFC 6901) of the part. */
  readonly pointer: string;
  /** Title with negating words; empty if the record has none. */
  readonly title: string;
  /** Negating words at the beginning of the title. */
  readonly negation?: string;
  readonly status: string;
  /** Literal reference to a description elsewhere. */
  readonly reference?: string;
  readonly times: readonly WrittenTime[];
  /** Schedule as text; empty if there is none. */
  readonly schedule: string;
  readonly outside?: OutsideExtent;
}

export interface PlanTimes {
  readonly plan: PlanPart;
  readonly activities: readonly PlanPart[];
}

/** Maximum days of one schedule in the chart. A timing may name thousands. */
const maxEvents = 200;

/**
 * Returns the times of a CarePlan and its activities (FHIR R4 careplan-definitions.html).
 *
 * @param today - Calendar date (YYYY-MM-DD).
 */
export function planTimes(record: JsonNode, today: string): PlanTimes {
  const root: NodeAtPointer = { node: record, pointer: '' };
  const { title, status } = summarize(record);
  const period = getChild(root, 'period');
  const times = periodTimes(period);
  const plan = { pointer: period.pointer, title, status, times, schedule: '' };
  const planSpan = times[0]?.span;
  const contained = containedOf(root);
  const toPart = (activity: NodeAtPointer) =>
    partAt(activity, activityAt(activity, contained, today), planSpan);
  return { plan, activities: listItems(getChild(root, 'activity')).map(toPart) };
}

function partAt(
  element: NodeAtPointer,
  { title, negation, status, reference, pointer }: CardActivity,
  planSpan: DaySpan | undefined,
): PlanPart {
  const detail = getChild(element, 'detail');
  const timing = getChild(detail, 'scheduledTiming');
  const events = listItems(getChild(timing, 'event')).slice(0, maxEvents).map(textAt).filter(Boolean);
  const times = [
    ...periodTimes(getChild(detail, 'scheduledPeriod')),
    ...periodTimes(getChild(timing, 'repeat', 'boundsPeriod')),
    ...events.map((event) => ({ start: event, end: event, span: periodDays(event, event) })),
  ];
  const outside = planSpan && combineExtents(times.map(({ span }) => span && outsideOf(span, planSpan)));
  return {
    pointer,
    title,
    status,
    times,
    ...(negation !== undefined && { negation }),
    ...(reference && { reference: reference.reference }),
    schedule: textAt(getChild(detail, 'scheduledString')) || conceptText(getChild(timing, 'code')),
    ...(outside && { outside }),
  };
}

function combineExtents(extents: readonly (OutsideExtent | undefined)[]): OutsideExtent | undefined {
  if (extents.length > 0 && extents.every((extent) => extent === 'wholly')) return 'wholly';
  return extents.some(Boolean) ? 'partly' : undefined;
}

/** Returns a Period as a list of one time; empty if it has no start and no end. */
function periodTimes(element: NodeAtPointer): readonly WrittenTime[] {
  const [start, end] = [textAt(getChild(element, 'start')), textAt(getChild(element, 'end'))];
  return start === '' && end === '' ? [] : [{ start, end, span: periodDays(start, end) }];
}

/** Returns the time of a record: its period, otherwise its first date; undefined if it has no period and no date. */
export function recordTime(record: JsonNode): WrittenTime | undefined {
  const root: NodeAtPointer = { node: record, pointer: '' };
  const type = textAt(getChild(root, 'resourceType'));
  if (!isResourceType(type)) return undefined;
  const { date, end } = definitionOf(type).summary;
  const period = end?.slice(0, end.lastIndexOf('.'));
  const [time] = period === undefined ? [] : periodTimes(getChild(root, ...period.split('.')));
  if (time) return time;
  const day = firstName(record, date);
  return day === '' ? undefined : { start: day, end: day, span: periodDays(day, day) };
}
