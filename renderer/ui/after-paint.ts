import { useEffect, useState } from 'react';

/**
 * Runs a function `delayMs` milliseconds after the next painted frame, so that it does not delay that frame.
 * Returns the function that cancels it.
 */
export function afterPaint(run: () => void, delayMs = 0): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run, delayMs);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * Returns a value one painted frame and `delayMs` milliseconds later, for content that may render late. The
 * value must not be a function.
 */
export function useAfterPaint<T>(value: T, delayMs = 0): T {
  const [paintedValue, setPaintedValue] = useState(value);
  useEffect(() => {
    if (paintedValue === value) return undefined;
    return afterPaint(() => setPaintedValue(value), delayMs);
  }, [value, paintedValue, delayMs]);
  return paintedValue;
}
