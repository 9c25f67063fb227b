/** Finds Electron on this machine, or downloads it once. Its npm package contains no program. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './bundles.ts';

const folder = resolve(root, 'node_modules/electron');
/** Time limit of a download in milliseconds. */
const downloadTimeoutMs = 75_000;

/** Folder where the npm package puts the program. */
export const electronFolder = resolve(folder, 'dist');

/**
 * Returns the path of Electron: the path in CHARTKEEPER_ELECTRON, otherwise the path in node_modules, or undefined.
 */
export function findElectron(): string | undefined {
  const requestedPath = process.env.CHARTKEEPER_ELECTRON;
  if (requestedPath !== undefined && requestedPath !== '')
    return existsSync(requestedPath) ? requestedPath : undefined;
  const pathFile = resolve(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const program = resolve(electronFolder, readFileSync(pathFile, 'utf8'));
  return existsSync(program) ? program : undefined;
}

/** Returns the path of Electron like {@link findElectron}, and downloads it if it is missing. */
export function findOrFetchElectron(): string | undefined {
  const program = findElectron();
  if (program !== undefined) return program;
  process.stderr.write('Fetching Electron, once…\n');
  spawnSync(process.execPath, [resolve(folder, 'install.js')], {
    stdio: 'ignore',
    timeout: downloadTimeoutMs,
  });
  return findElectron();
}

/** Returns true if a window can be shown. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return [process.env.DISPLAY, process.env.WAYLAND_DISPLAY].some(
    (display) => display !== undefined && display !== '',
  );
}
