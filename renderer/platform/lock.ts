import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';

/** Whether the desktop shell has locked the window; a browser has no lock. */
export const lock = createStore(false);

desktop?.onLock((now) => {
  // At once, before anything is drawn: the style sheet hides all but the lock's own face.
  document.documentElement.toggleAttribute('data-locked', now);
  lock.set(now);
});
