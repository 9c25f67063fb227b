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
 * Returns a function that shows the page of a ready server. Later calls do nothing: a restarted server has
 * the same origin, and edits must survive.
 *
 * @param onFailure - Called if the page could not be loaded.
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
 * Reloads the page after a crash of its process, with the limits of server restarts, and then calls
 * `onGivenUp`. Typed text is restored from its draft.
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
    const restartPlan = nextRestart(times, clock.now());
    if (restartPlan === undefined) {
      onGivenUp();
      return;
    }
    times = restartPlan.times;
    clock.after(restartPlan.delay, () => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  });
}
