/** Calendar days in UTC, as rules and measures count them. */

const dayMs = 86_400_000;

/** Returns the number of a day: days since 1970, UTC. */
export function dayNumber(time: number): number {
  return Math.floor(time / dayMs);
}

/** Returns a day number as YYYY-MM-DD. */
export function dayText(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}

/** Returns true if a text is a calendar day, YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse reads 31 February as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
