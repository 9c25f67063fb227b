import { dayMs, timeSpan } from '../../types/definition/dates.ts';
import { getChild, textAt, type NodeAtPointer } from './parts.ts';

/** A period with its length. Dates are as written, empty if absent. */
export interface CardPeriod {
  readonly start: string;
  readonly end: string;
  /** Days from first to last, both included. Absent without two complete dates. */
  readonly days?: number;
  /** Days since the end. Absent before the end. */
  readonly overdueDays?: number;
}

/**
 * Reads a Period as of `today` (FHIR R4 datatypes.html#Period).
 *
 * @param today - Calendar date (YYYY-MM-DD).
 */
export function periodAt(period: NodeAtPointer, today: string): CardPeriod | undefined {
  const start = textAt(getChild(period, 'start'));
  const end = textAt(getChild(period, 'end'));
  if (start === '' && end === '') return undefined;
  const days = daysBetween(start, end);
  const overdueDays = daysOver(end, today);
  return {
    start,
    end,
    ...(days !== undefined && days >= 0 && { days: days + 1 }),
    ...(overdueDays !== undefined && { overdueDays }),
  };
}

/** Returns the days from `date` to `today`; undefined if `date` is not before `today` or unclear. */
export function daysOver(date: string, today: string): number | undefined {
  const span = timeSpan(date);
  const todaySpan = timeSpan(today);
  if (!span || !todaySpan || span.endMs >= todaySpan.startMs) return undefined;
  return Math.ceil((todaySpan.startMs - span.endMs) / dayMs);
}

function daysBetween(start: string, end: string): number | undefined {
  if (start.length < 10 || end.length < 10) return undefined;
  const startSpan = timeSpan(start.slice(0, 10));
  const endSpan = timeSpan(end.slice(0, 10));
  return startSpan && endSpan && Math.round((endSpan.startMs - startSpan.startMs) / dayMs);
}
