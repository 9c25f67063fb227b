import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function that stays the same from draw to draw and runs what was given last: what it is handed to need not be drawn
 * anew. For handlers alone; while drawing it must not be called.
 */
export function useStable<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
