import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './format.ts';

const tick = 30_000;

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tick);
  return () => clearInterval(timer);
}

/** The present, in steps of half a minute, so that a snapshot is the same until the next tick. */
function present(): number {
  return Math.ceil(Date.now() / tick) * tick;
}

/** How long ago an instant was; the exact local time with its zone in the tooltip. */
export function RelativeTime({ instant }: { readonly instant: string }) {
  const now = useSyncExternalStore(everyTick, present);
  if (instant === '') return null;
  return (
    <time dateTime={instant} title={exactTime(instant)}>
      {relativeTime(instant, now)}
    </time>
  );
}
