/**
 * Seconds that a Retry-After header asks to wait (RFC 9110 section 10.2.3): a number of them, or an instant as an HTTP
 * date; `now` in milliseconds since the epoch. Undefined where there is no header, or one that says neither.
 */
export function secondsToWait(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const instant = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - now) / 1000));
}
