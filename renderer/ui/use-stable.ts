import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns a stable function that runs the latest given one, so that components that receive it need not
 * render again. For event handlers only; it must not be called during rendering.
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
