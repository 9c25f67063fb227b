const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 100;

/**
 * Returns when to restart a server that stopped at `now` (milliseconds), or undefined after {@link
 * MAX_RESTARTS} restarts within the last minute. The delay is 100 ms, doubled for each restart within that
 * minute (up to 1,600 ms). Also returns the times of the restarts that count, including this one.
 */
export function nextRestart(previousTimes: readonly number[], now: number) {
  const recentTimes = previousTimes.filter((time) => now - time < RESTART_WINDOW_MS);
  if (recentTimes.length >= MAX_RESTARTS) return undefined;
  return { delay: FIRST_DELAY_MS * 2 ** recentTimes.length, times: [...recentTimes, now] };
}
