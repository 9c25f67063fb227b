import { desktop } from './desktop.ts';

let locked = false;
const listeners = new Set<() => void>();

desktop?.onLock((now) => {
  locked = now;
  // At once, before anything is drawn: the style sheet hides all but the lock's own face.
  document.documentElement.toggleAttribute('data-locked', now);
  for (const listener of listeners) listener();
});

/** Whether the desktop shell has locked the window; a browser has no lock. */
export const lock = {
  locked: (): boolean => locked,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
