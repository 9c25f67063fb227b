import { ApiFailure } from '../../../core/api/failure.ts';

/** Bounds of a pause in seconds. The minimum applies if the server sends no duration. */
const bounds = { min: 1, max: 120 };

/** Returns the seconds to wait after 429, or after 503 with Retry-After; otherwise undefined. */
export function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const { status, retryAfter } = error;
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined;
  return Math.min(Math.max(retryAfter ?? bounds.min, bounds.min), bounds.max);
}

/** Creates a pause shared by all workers of a list. An aborted `signal` ends it early. */
export function createPause(signal: AbortSignal, waits?: (seconds: number) => void) {
  let currentPause = Promise.resolve();
  let until = 0;
  return {
    /** Extends the pause to end at least so many seconds from now. */
    extend(seconds: number): void {
      const end = Date.now() + seconds * 1000;
      if (end <= until) return;
      until = end;
      waits?.(seconds);
      currentPause = delay(seconds * 1000, signal);
    },
    waitUntilOver: (): Promise<void> => currentPause,
  };
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
