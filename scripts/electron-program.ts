/** Finds Electron's program on this machine, or fetches it once. Its npm package holds no program. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './bundles.ts';

const folder = resolve(root, 'node_modules/electron');
/** Milliseconds that fetching may take. */
const fetchLimit = 75_000;

/** Folder of the program where the npm package put it. */
export const electronFolder = resolve(folder, 'dist');

/** The path of Electron's program: that of CHARTKEEPER_ELECTRON, else the one in node_modules; undefined without. */
export function findElectron(): string | undefined {
  const given = process.env.CHARTKEEPER_ELECTRON;
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined;
  const note = resolve(folder, 'path.txt');
  if (!existsSync(note)) return undefined;
  const program = resolve(electronFolder, readFileSync(note, 'utf8'));
  return existsSync(program) ? program : undefined;
}

/** As {@link findElectron}; where there is none, it is fetched first. */
export function findOrFetchElectron(): string | undefined {
  const found = findElectron();
  if (found !== undefined) return found;
  process.stderr.write('Fetching Electron, once…\n');
  spawnSync(process.execPath, [resolve(folder, 'install.js')], { stdio: 'ignore', timeout: fetchLimit });
  return findElectron();
}

/** Whether a window can be shown. */
export function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return [process.env.DISPLAY, process.env.WAYLAND_DISPLAY].some(
    (display) => display !== undefined && display !== '',
  );
}
