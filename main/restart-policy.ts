const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 100;

/**
 * Returns when to restart a server that stopped at `now` (milliseconds), or undefined when it was restarted
 * {@link MAX_RESTARTS} times within the last minute: after a delay of 100 ms, doubled for each restart within that minute
 * (1,600 at most), and the times of the restarts that still count, this one included.
 */
export function nextRestart(earlier: readonly number[], now: number) {
  const recent = earlier.filter((time) => now - time < RESTART_WINDOW_MS);
  if (recent.length >= MAX_RESTARTS) return undefined;
  return { delay: FIRST_DELAY_MS * 2 ** recent.length, times: [...recent, now] };
}
