import { useSyncExternalStore } from 'react';
import { dateLanguage } from './date-language.ts';

const tickMs = 30_000;

/** Number of language changes. It changes the snapshot, so that times render again. */
let languageChanges = 0;
dateLanguage.subscribe(() => (languageChanges += 1));

function subscribeToTicks(listener: () => void): () => void {
  const timer = setInterval(listener, tickMs);
  const unsubscribe = dateLanguage.subscribe(listener);
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** Returns the present in steps of half a minute, so that the snapshot is stable until the next tick. */
function getPresent(): number {
  return Math.ceil(Date.now() / tickMs) * tickMs + languageChanges;
}

/** Returns the present in epoch ms. Renders again every half minute, and when the language changes. */
export function usePresent(): number {
  return useSyncExternalStore(subscribeToTicks, getPresent);
}
