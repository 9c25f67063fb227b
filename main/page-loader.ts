import type { BrowserWindow } from 'electron';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { nextRestart } from './restart-policy.ts';

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

/**
 * Loads the page again when its process ended by a fault, as often as the server is restarted, and then tells
 * `onGivenUp`. What was typed comes back from its draft.
 */
export function setupPageRecovery(
  window: BrowserWindow,
  options: {
    readonly clock: Clock;
    readonly log: Log;
    readonly onGone: () => void;
    readonly onGivenUp: () => void;
  },
): void {
  const { clock, log, onGone, onGivenUp } = options;
  let times: readonly number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log(`page gone: ${reason}`);
    if (reason === 'clean-exit') return;
    onGone();
    const next = nextRestart(times, clock.now());
    if (next === undefined) {
      onGivenUp();
      return;
    }
    times = next.times;
    clock.after(next.delay, () => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  });
}
