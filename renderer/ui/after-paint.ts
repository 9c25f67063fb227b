import { useEffect, useState } from 'react';

/** Runs something once the next frame was painted, so that it does not hold that frame up; returns how to call it off. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** A value that is no function, one painted frame later: for what may follow what is looked at. */
export function useAfterPaint<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (shown === value) return undefined;
    return afterPaint(() => setShown(value));
  }, [value, shown]);
  return shown;
}
