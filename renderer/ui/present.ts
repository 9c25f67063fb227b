import { useSyncExternalStore } from 'react';
import { dateLanguage } from './date-language.ts';

const tick = 30_000;

/** How often the language of dates changed: whoever shows times draws them anew, as with another moment. */
let changes = 0;
dateLanguage.subscribe(() => (changes += 1));

function everyTick(listener: () => void): () => void {
  const timer = setInterval(listener, tick);
  const unfollow = dateLanguage.subscribe(listener);
  return () => {
    clearInterval(timer);
    unfollow();
  };
}

/** The present, in steps of half a minute, so that a snapshot is the same until the next tick. */
function present(): number {
  return Math.ceil(Date.now() / tick) * tick + changes;
}

/** The present in milliseconds since the epoch, which draws anew every half minute, and in another language. */
export function usePresent(): number {
  return useSyncExternalStore(everyTick, present);
}
