import { useEffect, useState } from 'react';

/**
 * Runs something once the next frame was painted, so that it does not hold that frame up, and `wait` milliseconds after
 * it; returns how to call it off.
 */
export function afterPaint(run: () => void, wait = 0): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run, wait);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * A value that is no function, one painted frame and `wait` milliseconds later: for what may follow what is looked at.
 */
export function useAfterPaint<T>(value: T, wait = 0): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (shown === value) return undefined;
    return afterPaint(() => setShown(value), wait);
  }, [value, shown, wait]);
  return shown;
}
