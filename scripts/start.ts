/** Opens the desktop app; where there is no display or no Electron, the same app for a browser. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';

const electronFolder = resolve(root, 'node_modules/electron');
/** Milliseconds that fetching Electron's program may take before the browser mode is used instead. */
const fetchLimit = 75_000;

/** The path of Electron's program where it is installed. */
function installedElectron(): string | undefined {
  const note = resolve(electronFolder, 'path.txt');
  if (!existsSync(note)) return undefined;
  const program = resolve(electronFolder, 'dist', readFileSync(note, 'utf8'));
  return existsSync(program) ? program : undefined;
}

function fetchElectron(): string | undefined {
  process.stderr.write('Fetching Electron, once…\n');
  spawnSync(process.execPath, [resolve(electronFolder, 'install.js')], {
    stdio: 'ignore',
    timeout: fetchLimit,
  });
  return installedElectron();
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return [process.env.DISPLAY, process.env.WAYLAND_DISPLAY].some(
    (display) => display !== undefined && display !== '',
  );
}

async function openInBrowser(reason: string): Promise<void> {
  process.stdout.write(`${reason}: the same app runs for a browser at the address below.\n`);
  process.argv.splice(2, 0, 'serve', '--port', '0');
  await import('./run.ts');
}

if (isStale()) {
  process.stderr.write('Building, once after each change of the sources…\n');
  await buildBundles();
}
if (!hasDisplay()) {
  await openInBrowser('There is no display');
} else {
  const electron = installedElectron() ?? fetchElectron();
  if (electron === undefined) {
    await openInBrowser('Electron could not be fetched');
  } else {
    spawn(electron, [root, ...process.argv.slice(2)], { stdio: 'inherit' }).once('exit', (code) => {
      process.exitCode = code ?? 1;
    });
  }
}
