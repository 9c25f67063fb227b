/** Days as they are counted and written: UTC, as the days of the rules are. */

const dayLength = 86_400_000;

/** The number of a day: days since 1970, UTC. */
export function dayNumber(time: number): number {
  return Math.floor(time / dayLength);
}

/** The day of a number, as YYYY-MM-DD. */
export function dayText(number: number): string {
  return new Date(number * dayLength).toISOString().slice(0, 10);
}

/** Whether a text is a day, as YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  // A day that no month has is read as one of the next.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
