const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 100;

export interface Restart {
  /** Milliseconds to wait before the start: 100, doubled for each restart within the last minute (1,600 at most). */
  readonly delay: number;
  /** The times of the restarts that still count, this one included. */
  readonly times: readonly number[];
}

/**
 * Returns when to restart a server that stopped at `now` (milliseconds), or undefined when it was restarted
 * {@link MAX_RESTARTS} times within the last minute.
 */
export function nextRestart(earlier: readonly number[], now: number): Restart | undefined {
  const recent = earlier.filter((time) => now - time < RESTART_WINDOW_MS);
  if (recent.length >= MAX_RESTARTS) return undefined;
  return { delay: FIRST_DELAY_MS * 2 ** recent.length, times: [...recent, now] };
}
