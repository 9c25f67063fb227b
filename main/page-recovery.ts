import type { BrowserWindow } from 'electron';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { nextRestart } from './restart-policy.ts';

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
