import { join } from 'node:path';

/** Every file and folder that the shell knows by name. */
export interface ShellPaths {
  readonly worker: string;
  readonly preload: string;
  readonly dataDir: string;
  readonly log: string;
  /** What the shell remembers. */
  readonly state: string;
  /** Secrets of connections, encrypted. */
  readonly secrets: string;
  /** Where a newer version is looked for; absent unless somebody set it. */
  readonly updates: string;
}

/** Returns the paths for a shell whose built entry lies in `mainDir` (`dist/main`, inside or outside an archive). */
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
