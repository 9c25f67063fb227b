import type { Clock } from './clock.ts';
import type { ServerChild } from './server-attempt.ts';

const DRAIN_MS = 3_000;
/** After a kill the process has this long to be gone before the shell ends without it. */
const KILL_WAIT_MS = 1_000;

/** Asks the process to stop, kills it when it has not within {@link DRAIN_MS}, and resolves when it is gone. */
export function stopChild(child: ServerChild, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    let cancel = clock.after(DRAIN_MS, () => {
      child.kill();
      cancel = clock.after(KILL_WAIT_MS, resolve);
    });
    child.onExit(() => {
      cancel();
      resolve();
    });
    child.postMessage({ type: 'stop' });
  });
}
