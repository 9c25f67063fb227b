/** Milliseconds of a window. */
const span = 60_000;

/** Keys that are remembered at once; the oldest go first, so that many addresses cannot fill the memory. */
const mostKeys = 10_000;

/**
 * Counts events by key in windows of a minute, each from its first event on. Answers the whole seconds to wait where
 * an event is one more than `limit`, otherwise undefined.
 */
export function countingWindow(limit: number, clock: () => number): (key: string) => number | undefined {
  const windows = new Map<string, { readonly start: number; count: number }>();
  return (key) => {
    const now = clock();
    const window = windows.get(key);
    if (window === undefined || now - window.start >= span || now < window.start) {
      windows.delete(key);
      for (const oldest of windows.keys()) {
        if (windows.size < mostKeys) break;
        windows.delete(oldest);
      }
      windows.set(key, { start: now, count: 1 });
      return undefined;
    }
    window.count += 1;
    return window.count > limit ? Math.max(1, Math.ceil((window.start + span - now) / 1000)) : undefined;
  };
}
