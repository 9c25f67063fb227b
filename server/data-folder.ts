import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where records live when no folder is named: the system's own place for a program's data. */
export function defaultDataDir(
  platform: string = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string {
  if (platform === 'win32') return join(env.APPDATA ?? homedir(), 'Chartkeeper');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Chartkeeper');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'chartkeeper');
}
