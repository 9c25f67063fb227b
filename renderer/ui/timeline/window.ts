import { reachOf, type Days, type DaySpan } from '../../../core/fhir/timeline/days.ts';

/** How much of time is in sight: all that takes place, or a year or a month of it. */
export const zooms = ['all', 'year', 'month'] as const;
export type Zoom = (typeof zooms)[number];

const lengths: Readonly<Record<Exclude<Zoom, 'all'>, number>> = { year: 365, month: 31 };
/** Room beside what takes place, as a share of it. */
const margin = 0.04;
const least = 14;
/** Days beyond which a date is no time but a stand-in for one, such as 9999-12-31. */
const believed = 150 * 365;

/** The days that hold all that is named, and today where that is near or reached by what is open; none without a time. */
export function fitOf(spans: readonly DaySpan[], today: number): Days | undefined {
  const near = spans.map((span) => believable(span, today));
  const reach = reachOf(near) ?? reachOf(spans);
  if (!reach) return undefined;
  const length = reach.last - reach.first + 1;
  const open = near.some(({ start, end }, at) => start && !end && !spans[at]?.end && start.first <= today);
  const distance = Math.max(reach.first - today, today - reach.last);
  const all =
    open || distance <= length
      ? { first: Math.min(reach.first, today), last: Math.max(reach.last, today) }
      : reach;
  const room = Math.max(1, Math.ceil((all.last - all.first + 1) * margin));
  return atLeast({ first: all.first - room, last: all.last + room });
}

function believable({ start, end }: DaySpan, today: number): DaySpan {
  const is = (one: Days | undefined) => one !== undefined && Math.abs(one.first - today) <= believed;
  return { ...(start && is(start) && { start }), ...(end && is(end) && { end }) };
}

function atLeast({ first, last }: Days): Days {
  const lacking = Math.max(0, least - (last - first + 1));
  return { first: first - Math.floor(lacking / 2), last: last + Math.ceil(lacking / 2) };
}

/** The days in sight at a zoom, around one of them. */
export function windowOf(zoom: Zoom, middle: number, fit: Days): Days {
  if (zoom === 'all') return fit;
  const first = Math.round(middle - lengths[zoom] / 2);
  return { first, last: first + lengths[zoom] - 1 };
}

export function middleOf({ first, last }: Days): number {
  return Math.round((first + last) / 2);
}

/** The day around which a time is brought into sight: where it begins, else where it ends. */
export function anchorOf({ start, end }: DaySpan): number | undefined {
  return start?.first ?? end?.last;
}

/** Whether any of a time is in sight. */
export function isWithin({ start, end }: DaySpan, { first, last }: Days): boolean {
  return (!start || start.first <= last) && (!end || end.last >= first);
}
