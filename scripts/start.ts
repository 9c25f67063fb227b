/**
 * Opens the desktop app. With `--browser`, or without a display or Electron, opens the same app for a
 * browser.
 */
import { spawn } from 'node:child_process';
import { ensureBuilt } from './build.ts';
import { root } from './bundles.ts';
import { findOrFetchElectron, hasDisplay } from './electron-program.ts';

async function openInBrowser(reason?: string): Promise<void> {
  if (reason !== undefined) {
    process.stdout.write(`${reason}: the same app runs for a browser at the address below.\n`);
  }
  process.argv.splice(2, 0, 'serve', '--port', '0');
  await import('./run.ts');
}

await ensureBuilt();
if (process.argv.includes('--browser')) {
  await openInBrowser();
} else if (!hasDisplay()) {
  await openInBrowser('There is no display');
} else {
  const electron = findOrFetchElectron();
  if (electron === undefined) {
    await openInBrowser('Electron could not be fetched');
  } else {
    spawn(electron, [root, ...process.argv.slice(2)], { stdio: 'inherit' }).once('exit', (code) => {
      process.exitCode = code ?? 1;
    });
  }
}
