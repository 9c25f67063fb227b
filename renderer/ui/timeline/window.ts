import { reachOf, type Days, type DaySpan } from '../../../core/fhir/timeline/days.ts';

/** Zoom of the timeline: everything, or a year or a month. */
export const zooms = ['all', 'year', 'month'] as const;
export type Zoom = (typeof zooms)[number];

const lengths: Readonly<Record<Exclude<Zoom, 'all'>, number>> = { year: 365, month: 31 };
/** Share of the range that is added as a margin. */
const marginShare = 0.04;
const minDays = 14;
/** Distance in days beyond which a date is a placeholder, for example 9999-12-31. */
const maxPlausibleDistance = 150 * 365;

/**
 * Returns the range of all items. It includes today if that is near or an item is open. Undefined without a
 * time.
 */
export function fitOf(spans: readonly DaySpan[], today: number): Days | undefined {
  const plausibleSpans = spans.map((span) => dropImplausible(span, today));
  const spanRange = reachOf(plausibleSpans) ?? reachOf(spans);
  if (!spanRange) return undefined;
  const length = spanRange.lastDay - spanRange.firstDay + 1;
  const isOpen = plausibleSpans.some(
    ({ start, end }, index) => start && !end && !spans[index]?.end && start.firstDay <= today,
  );
  const distance = Math.max(spanRange.firstDay - today, today - spanRange.lastDay);
  const visibleRange =
    isOpen || distance <= length
      ? { firstDay: Math.min(spanRange.firstDay, today), lastDay: Math.max(spanRange.lastDay, today) }
      : spanRange;
  const marginDays = Math.max(1, Math.ceil((visibleRange.lastDay - visibleRange.firstDay + 1) * marginShare));
  return atLeast({
    firstDay: visibleRange.firstDay - marginDays,
    lastDay: visibleRange.lastDay + marginDays,
  });
}

function dropImplausible({ start, end }: DaySpan, today: number): DaySpan {
  const isPlausible = (days: Days | undefined) =>
    days !== undefined && Math.abs(days.firstDay - today) <= maxPlausibleDistance;
  return { ...(start && isPlausible(start) && { start }), ...(end && isPlausible(end) && { end }) };
}

function atLeast({ firstDay, lastDay }: Days): Days {
  const missingDays = Math.max(0, minDays - (lastDay - firstDay + 1));
  return {
    firstDay: firstDay - Math.floor(missingDays / 2),
    lastDay: lastDay + Math.ceil(missingDays / 2),
  };
}

/** Returns the visible days at a zoom around a day. */
export function windowOf(zoom: Zoom, middle: number, fit: Days): Days {
  if (zoom === 'all') return fit;
  const firstDay = Math.round(middle - lengths[zoom] / 2);
  return { firstDay, lastDay: firstDay + lengths[zoom] - 1 };
}

export function middleOf({ firstDay, lastDay }: Days): number {
  return Math.round((firstDay + lastDay) / 2);
}

/** Returns the day that centers a time: its start, otherwise its end. */
export function anchorOf({ start, end }: DaySpan): number | undefined {
  return start?.firstDay ?? end?.lastDay;
}

/** Returns true if part of a time is visible. */
export function isWithin({ start, end }: DaySpan, { firstDay, lastDay }: Days): boolean {
  return (!start || start.firstDay <= lastDay) && (!end || end.lastDay >= firstDay);
}
