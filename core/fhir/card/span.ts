import { dayLength, timeSpan } from '../../types/definition/dates.ts';
import { below, textAt, type Place } from './parts.ts';

/** A period as a person asks about it; dates as written, blank where there is none. */
export interface CardPeriod {
  readonly start: string;
  readonly end: string;
  /** Days from the first to the last, both counted; absent where one of them is not a whole day. */
  readonly days?: number;
  /** Days since the end; absent where it has not passed. */
  readonly over?: number;
}

/** Reads a Period (FHIR R4 datatypes.html#Period) as of `today` (YYYY-MM-DD). */
export function periodAt(place: Place, today: string): CardPeriod | undefined {
  const start = textAt(below(place, 'start'));
  const end = textAt(below(place, 'end'));
  if (start === '' && end === '') return undefined;
  const days = daysBetween(start, end);
  const over = daysOver(end, today);
  return {
    start,
    end,
    ...(days !== undefined && days >= 0 && { days: days + 1 }),
    ...(over !== undefined && { over }),
  };
}

/** How many days `date` has been over on `today`; undefined where it is not, or where it cannot be told. */
export function daysOver(date: string, today: string): number | undefined {
  const span = timeSpan(date);
  const now = timeSpan(today);
  if (!span || !now || span.last >= now.first) return undefined;
  return Math.ceil((now.first - span.last) / dayLength);
}

function daysBetween(start: string, end: string): number | undefined {
  if (start.length < 10 || end.length < 10) return undefined;
  const first = timeSpan(start.slice(0, 10));
  const last = timeSpan(end.slice(0, 10));
  return first && last && Math.round((last.first - first.first) / dayLength);
}
