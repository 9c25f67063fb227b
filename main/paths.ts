import { join } from 'node:path';

/** All files and folders of the shell. */
export interface ShellPaths {
  readonly worker: string;
  readonly preload: string;
  readonly dataDir: string;
  readonly log: string;
  /** Stored state of the shell. */
  readonly state: string;
  /** Encrypted secrets of connections. */
  readonly secrets: string;
  /** Configuration of the update check. Missing unless somebody created it. */
  readonly updates: string;
}

/**
 * Returns the paths for a shell with its built entry in `mainDir` (`dist/main`, inside or outside an
 * archive).
 */
export function shellPaths(mainDir: string, userData: string, logs: string): ShellPaths {
  return {
    worker: join(mainDir, '..', 'server', 'worker.js'),
    preload: join(mainDir, 'preload.cjs'),
    dataDir: join(userData, 'data'),
    log: join(logs, 'chartkeeper.log'),
    state: join(userData, 'shell.json'),
    secrets: join(userData, 'secrets.json'),
    updates: join(userData, 'updates.json'),
  };
}
