import { useSyncExternalStore } from 'react';

const tick = 30_000;

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tick);
  return () => clearInterval(timer);
}

/** The present, in steps of half a minute, so that a snapshot is the same until the next tick. */
function present(): number {
  return Math.ceil(Date.now() / tick) * tick;
}

/** The present in milliseconds since the epoch, which draws anew every half minute. */
export function usePresent(): number {
  return useSyncExternalStore(everyTick, present);
}
