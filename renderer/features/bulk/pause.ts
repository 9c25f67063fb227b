import { ApiFailure } from '../../../core/api/failure.ts';

/** Seconds where the server does not say how long, and the most that are waited at once. */
const bounds = { unsaid: 1, most: 120 };

/** Seconds to wait where the server is asked too much (429), or is busy and says for how long (503). */
export function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const { status, retryAfter } = error;
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined;
  return Math.min(Math.max(retryAfter ?? bounds.unsaid, bounds.unsaid), bounds.most);
}

/** A pause that all who work on one list keep; it ends early where `signal` is aborted. */
export function createPause(signal: AbortSignal, waits?: (seconds: number) => void) {
  let ends = Promise.resolve();
  let until = 0;
  return {
    /** Makes the pause last for so many seconds from now, where it would end before. */
    prolong(seconds: number): void {
      const end = Date.now() + seconds * 1000;
      if (end <= until) return;
      until = end;
      waits?.(seconds);
      ends = rest(seconds * 1000, signal);
    },
    over: (): Promise<void> => ends,
  };
}

function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
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
