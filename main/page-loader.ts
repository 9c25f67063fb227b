import type { BrowserWindow } from 'electron';

/** Electron's code for a load that another load replaced. */
const ABORTED = 'ERR_ABORTED';

function wasReplaced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === ABORTED;
}

/**
 * Returns how to show the page of a server that is ready. Once it was shown, later calls leave it alone: a restarted
 * server has the same origin, and what is being edited stays. `onFailure` is told when the page could not be loaded.
 */
export function createPageLoader(
  window: BrowserWindow,
  onFailure: () => void,
): (origin: string) => Promise<void> {
  let isLoaded = false;
  return async function loadPage(origin) {
    if (isLoaded) return;
    try {
      await window.loadURL(`${origin}/`);
      isLoaded = true;
    } catch (error) {
      if (!wasReplaced(error)) onFailure();
    }
  };
}
