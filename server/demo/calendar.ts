/** A moment on the clinic's own clock, in minutes since 1970-01-01T00:00 on that clock. */
export type Minute = number;

export type Zone = 'Z' | '+01:00';

export const HOUR = 60;
export const DAY = 24 * HOUR;

/**
 * The clinic opens at the first instant. No encounter starts after the second, and no date is after the
 * third.
 */
export const OPENING = minuteOf('2023-01-02');
export const LAST_ENCOUNTER = minuteOf('2026-09-20');
export const TODAY = minuteOf('2026-10-20');

/** Midnight of a calendar date (`YYYY-MM-DD`). */
function minuteOf(date: string): Minute {
  return Date.parse(`${date}T00:00:00Z`) / 60_000;
}

/** A FHIR date, `YYYY-MM-DD`. */
export function dateText(minute: Minute): string {
  return new Date(minute * 60_000).toISOString().slice(0, 10);
}

/** A FHIR dateTime with seconds and zone. */
export function dateTimeText(minute: Minute, zone: Zone): string {
  return `${new Date(minute * 60_000).toISOString().slice(0, 19)}${zone}`;
}
